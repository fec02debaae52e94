#pragma once

#include <functional>
#include <string>

#include "api/http/message.hpp"
#include "api/rest/body_reader.hpp"
#include "api/rest/context.hpp"
#include "base/json/value.hpp"
#include "engine/idempotent.hpp"
#include "queue/enqueue_execution.hpp"

namespace millrace::rest {

// What POST …/executions, the items of POST …/executions:batch and retries share.

// Without an id yet. What else the object may have is read before.
Result<EnqueueExecution> parse_enqueue(BodyReader& body, const WorkspaceId& workspace_id);

// All that makes two of them the same.
json::Value asked_by_enqueue(const EnqueueExecution& command);

// Who asks for it: the name of the key. Empty when nobody is known.
std::string requested_by(const http::HttpRequest& request);

// An execution that was enqueued: now, or by an earlier request with the same key, as it is now.
struct Enqueued {
    StoredExecution stored{};
    bool is_replayed = false;
};

// 202 with the execution, and where to look for it.
http::HttpResponse accepted_response(const Enqueued& enqueued);

// What is asked for, as far as the answer has to know.
struct EnqueueAsked {
    ExecutionKey key{};
    std::string definition_id{};
    Variables input{};
    bool is_of_cluster = false;  // The caller may know of definitions in other workspaces.
};

// Calls `done` once, on any thread. A definition that is not found, but is in another workspace
// that the caller may see, becomes permission_denied.
void find_enqueued(QueryQueue& queries, EnqueueAsked asked, Result<Once<Execution>> answer,
                   std::function<void(const Result<Enqueued>&)> done);

}  // namespace millrace::rest
