#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/id.hpp"
#include "base/result.hpp"

namespace millrace::rest {

// For a parameter of a query: "status must be UNLOCKED or LOCKED".
Error must_be(std::string_view name, std::string_view expected);

// For a value that has to be one of some words: names the one that was meant, or all.
Error no_such_value(std::string_view name, std::string_view given,
                    const std::vector<std::string_view>& words);

// The words for the values of an enumeration, up to its last one.
template <class Enum>
std::vector<std::string_view> words_up_to(Enum last) {
    std::vector<std::string_view> words;
    for (int value = 0; value <= static_cast<int>(last); ++value) {
        words.push_back(to_string(static_cast<Enum>(value)));
    }
    return words;
}

// The parts of a value with commas between.
std::vector<std::string_view> parts_of(std::string_view list);

// The filters of a list, as its query gives them. What is empty counts as not given; an id that
// nothing can have matches nothing.
class QueryFilter {
public:
    explicit QueryFilter(std::string_view query) : query_(query) {}

    std::optional<std::string> text(std::string_view name) const;
    std::optional<InstanceId> instance_id(std::string_view name);

    void match_nothing() { matches_nothing_ = true; }
    bool matches_nothing() const { return matches_nothing_; }

private:
    std::string_view query_;
    bool matches_nothing_ = false;
};

}  // namespace millrace::rest
