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

// The summary, from the reasons.
Explanation summed_up(Explanation explanation);

}  // namespace millrace
