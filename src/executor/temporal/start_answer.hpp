#pragma once

#include <string>

#include "executor/remote_executor.hpp"
#include "executor/temporal/call_status.hpp"

namespace millrace {

// What a start that was not even sent counts as: nothing can have happened.
StartAnswer not_sent(const CallStatus& status);

// What the answer to a start counts as, which was handed to a connection. ALREADY_EXISTS is none of
// these: whose run it is has to be asked.
StartAnswer answer_of(const CallStatus& status);

StartAnswer started(std::string run_id);
StartAnswer conflict(const CallStatus& status);
// It may have happened.
StartAnswer in_doubt(const CallStatus& status);

}  // namespace millrace
