#pragma once

#include <string>

#include "executor/remote_executor.hpp"

namespace millrace::start_answers {

// What is written down of starts that a target was not asked for, or whose outcome was found out by
// asking for the run.

// Permanent, unless it may have happened: then it is for somebody to find out who knows the target,
// or who can read the definition.
StartAnswer target_not_found(const std::string& target, bool may_have_happened);
StartAnswer definition_not_found(bool may_have_happened);
StartAnswer target_away(const std::string& target);
StartAnswer stopping();

// The run is there, whoever's it is.
StartAnswer found(const RunReport& report);
// The run could not be asked about.
StartAnswer run_not_told(const CallFailure& failure);
// Nobody remembers whether it happened.
StartAnswer forgotten();
// Nothing was started, and nobody wants it any more.
StartAnswer not_wanted();

}  // namespace millrace::start_answers
