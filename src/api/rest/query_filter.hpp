#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/id.hpp"
#include "base/result.hpp"

namespace millrace::rest {

// For a parameter of a query: "status must be UNLOCKED or LOCKED".
Error must_be(std::string_view name, std::string_view expected);

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
