#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/json/value.hpp"
#include "base/time.hpp"

namespace millrace {

// One thing that stands between something and its going on, with what shows it.
struct Reason {
    std::string code{};     // WORKSPACE_FULL, WAITS_FOR_TASK … A program may look at it.
    std::string message{};  // A sentence for a person. Nothing of an input or of variables.
    json::Object evidence{};
    std::optional<Instant> until{};  // When it ends by itself, as far as can be told.
    std::string advice{};            // What to do about it; empty when waiting is all.
};

// Why something does not run, or that it does: the whole chain of reasons, the outermost first.
struct Explanation {
    std::string subject{};  // execution, instance, job, workspace
    std::string id{};
    std::string status{};
    bool is_over = false;
    std::string summary{};  // The first reason in one sentence.
    std::vector<Reason> reasons{};
    std::optional<Instant> estimated_at{};  // When it should go on, where that can be computed.
};

// A row that is due for longer is not merely in line behind others: it could not be done, and was
// set aside.
inline constexpr Duration kOverdue = std::chrono::seconds{10};

// Says so of something that is due since then; nothing when it is not overdue.
void tell_if_overdue(Reason& reason, std::string message, Instant due_at, Instant now);

// The summary, from the reasons.
Explanation summed_up(Explanation explanation);

}  // namespace millrace
