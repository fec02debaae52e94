#pragma once

#include <functional>

#include "api/rest/answer.hpp"
#include "api/rest/context.hpp"
#include "core/audit/audit_entry.hpp"
#include "queue/cancel_execution.hpp"
#include "queue/get_execution.hpp"
#include "queue/handle_executions.hpp"

namespace millrace::rest {

// What calls about one execution share.

// The one that the path names as `id`, of whatever workspace the caller may see: its id is enough.
Result<GetExecution> execution_in_path(const http::HttpRequest& request);

// Hands on which one is meant, with its workspace, which is looked up when the caller may see all.
// Answers with the error when there is none.
void find_execution_key(const Context& context, const http::Responder& respond,
                        const GetExecution& asked, std::function<void(const ExecutionKey&)> next);

// Cancels it whichever instance of its chain runs by then. Calls `done` once, on some thread.
void submit_cancel(const Context& context, const http::Responder& respond, const Actor& actor,
                   CancelExecution command, std::function<void(const Result<Execution>&)> done);

// 200 with the execution, without its input and result.
http::HttpResponse execution_response(const Execution& execution);

// 200 with the whole of it.
http::HttpResponse stored_execution_response(const StoredExecution& stored);

// How a dead letter is driven again: by whom, and when.
struct Redrive {
    Actor actor{};
    std::string requested_by{};
    std::optional<Instant> not_before{};
};

// One that has never run goes on under its id; one that has run is done again by a new execution.
// Calls `done` once, on some thread, with the one that will run.
void submit_redrive(const Context& context, const http::Responder& respond, const Redrive& redrive,
                    const GetExecution& asked, std::function<void(const Result<Execution>&)> done);

}  // namespace millrace::rest
