#include "core/explain/explanation.hpp"

#include <utility>

#include "base/time_text.hpp"

namespace millrace {

void tell_if_overdue(Reason& reason, std::string message, Instant due_at, Instant now) {
    if (due_at + kOverdue >= now) return;
    reason.message = std::move(message);
    reason.evidence.emplace_back("overdueSince", time_text(due_at));
    reason.advice = "The log of the server says why.";
}

Explanation summed_up(Explanation explanation) {
    if (!explanation.reasons.empty()) explanation.summary = explanation.reasons.front().message;
    return explanation;
}

}  // namespace millrace
