#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/id.hpp"

namespace millrace::rest {

// The filters of a list, as its query gives them. What is empty counts as not given; a value that
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
