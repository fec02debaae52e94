#include "api/rest/start_calls.hpp"

#include <algorithm>
#include <limits>

#include "engine/get_instance.hpp"

namespace millrace::rest {

namespace {

// Under its key nothing is started a second time.
Error removed_since(const InstanceId& id) {
    return {ErrorCode::not_found, "Expected the instance that this key has started, but " +
                                      to_string(id.value) + " has ended and was removed since."};
}

}  // namespace

Error names_nothing() {
    return {ErrorCode::internal, "The stored record of an idempotency key names nothing."};
}

std::int32_t version_in(BodyReader& body) {
    constexpr std::int64_t kVersionMax = std::numeric_limits<std::int32_t>::max();
    const std::int64_t version = body.integer("definitionVersion").value_or(0);
    if (version < 0) {
        body.refuse("definitionVersion",
                    "definitionVersion must not be negative; 0 is the latest version");
    }
    if (version > kVersionMax) {
        body.refuse("definitionVersion",
                    "definitionVersion must be at most " + std::to_string(kVersionMax));
    }
    return static_cast<std::int32_t>(std::clamp<std::int64_t>(version, 0, kVersionMax));
}

json::Value value_of(const Variables& variables) {
    Result<json::Value> value = variables.value();
    return value ? std::move(*value) : json::Value{};
}

Result<StartInstance> parse_start(BodyReader& body, const WorkspaceId& workspace_id,
                                  UnreadFields& unread) {
    StartInstance command{.key = {.workspace_id = workspace_id}};
    command.definition_id = body.name("definitionId");
    command.definition_version = version_in(body);
    command.business_key = body.name("businessKey");
    const json::Value variables = body.object("variables");
    if (command.definition_id.empty()) body.refuse("definitionId", "definitionId is required");
    if (!body.finish(unread)) return body.error();

    if (!variables.is_object()) return command;
    Result<Variables> kept = Variables::from_value(variables);
    if (!kept) return kept.error();
    command.variables = std::move(*kept);
    return command;
}

json::Value asked_by_start(const StartInstance& command) {
    return json::Object{{"definitionId", command.definition_id},
                        {"definitionVersion", command.definition_version},
                        {"businessKey", command.business_key},
                        {"variables", value_of(command.variables)}};
}

void find_started(QueryQueue& queries, const WorkspaceId& workspace_id,
                  Result<Once<Instance>> answer, std::function<void(const Result<Started>&)> done) {
    if (!answer) return done(answer.error());
    if (answer->answer) return done(Started{.instance = std::move(*answer->answer)});
    if (!answer->instance_id) return done(names_nothing());
    const InstanceId id = *answer->instance_id;
    queries.submit(GetInstance{{id, workspace_id}},
                   [id, done = std::move(done)](Result<Instance> found) {
                       const bool is_gone = !found && found.error().code == ErrorCode::not_found;
                       if (!found) return done(is_gone ? removed_since(id) : found.error());
                       done(Started{.instance = std::move(*found), .is_replayed = true});
                   });
}

}  // namespace millrace::rest
