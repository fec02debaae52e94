#pragma once

#include "millrace/client/error.hpp"
#include "millrace/client/worker.hpp"

namespace millrace::client {

// Runs it; an exception becomes the outcome that it stands for.
Outcome run_handler(const Handler& handler, const Job& job, JobContext& context);

// The outcome as it may be told: of a job whose worker stops, a failure that may come from that is
// none, and what JSON cannot express fails the job for good.
Outcome reportable(Outcome outcome, std::optional<StopCause> cause);

// The server will never take this result: bad values, or too much of them.
bool is_refused_for_good(const Error& error);

// The server does not take this worker, and will not by itself.
bool refuses_worker(const Error& error);

}  // namespace millrace::client
