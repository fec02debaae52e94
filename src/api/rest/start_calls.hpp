#pragma once

#include <functional>
#include <string>

#include "api/rest/body_reader.hpp"
#include "base/json/value.hpp"
#include "engine/idempotent.hpp"
#include "engine/query_queue.hpp"
#include "engine/start_instance.hpp"

namespace millrace::rest {

// What POST /v1/instances and the items of POST /v1/instances:batch share.

// The version of a definition that a request names; 0, or none, asks for the latest. A negative one
// is refused, and one that nobody can have uploaded is not found.
std::int32_t version_in(BodyReader& body);

// The variables in a field of a request, which came through the door: for what two requests share.
json::Value value_of(const Variables& variables);

// Without an id yet. What else the object may have is read before.
Result<StartInstance> parse_start(BodyReader& body, const WorkspaceId& workspace_id,
                                  UnreadFields& unread);

// All that makes two starts the same.
json::Value asked_by_start(const StartInstance& command);

// Of a record under whose key something was started, which does not say what: it is corrupt.
Error names_nothing();

// An instance that was started: now, or by an earlier request with the same key, as it is now.
struct Started {
    Instance instance{};
    bool is_replayed = false;
};

// Calls `done` once, on any thread.
void find_started(QueryQueue& queries, const WorkspaceId& workspace_id,
                  Result<Once<Instance>> answer, std::function<void(const Result<Started>&)> done);

}  // namespace millrace::rest
