#pragma once

#include <string>

#include "base/result.hpp"
#include "millrace/client/worker.hpp"

namespace millrace::cli {

// invalid_argument: there is no such command. It is looked for as the shell would, where its first
// word is plain; what a shell makes of anything else is seen when it runs.
Status find_command(const std::string& command);

// Handles a job by a shell command: the job as JSON on its standard input, a JSON object of
// variables on its standard output (nothing means none). Exit code 0 completes the job, 100 fails
// it for good, any other code or a signal fails it for another try, with the end of what the
// command wrote to its standard error as the message. That text is passed on to our own standard
// error, too. The command finds in its environment: MILLRACE_JOB_ID, MILLRACE_JOB_TYPE,
// MILLRACE_INSTANCE_ID, MILLRACE_STEP_ID, MILLRACE_ATTEMPT (1, 2, …), MILLRACE_IDEMPOTENCY_KEY (the
// same for all attempts) and MILLRACE_RETRIES_REMAINING.
//
// The end of the context ends the command.
client::Outcome run_for_job(const std::string& command, const client::Job& job,
                            const client::JobContext& context);

}  // namespace millrace::cli
