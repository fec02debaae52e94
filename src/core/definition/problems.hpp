#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace millrace::definition {

// What is wrong with a document, in the order in which it was found. Counts all, keeps the first
// kDefinitionProblemsMax.
class Problems {
public:
    // `path` leads to the field, `message` is a sentence that also stands alone.
    void add(std::string path, std::string message);

    // The same of a field that nobody knows: the rest can be read as if it were not there.
    void add_unknown(std::string path, std::string message);

    bool empty() const { return count_ == 0; }
    // Further ones are only counted: what they would say need not be made up.
    bool is_full() const;
    bool has_only_unknown() const { return count_ == unknown_count_; }

    // For problems of shape: "parse error: parse: ...; ...".
    Error parse_error() const;
    // For broken rules: "validation error: validation errors:", then one problem per line.
    Error validation_error() const;

private:
    Error error(std::string detail, std::string_view separator) const;

    std::size_t count_ = 0;
    std::size_t unknown_count_ = 0;
    std::vector<ErrorDetail> kept_{};
};

// In double quotes, on one line, and cut where no name may be longer.
std::string quoted(std::string_view text);

// ` (did you mean "name"?)`, to stand after a word that is none of these; empty when none is near.
std::string meant_by(std::string_view given, const std::vector<std::string_view>& words);

}  // namespace millrace::definition
