#include "api/rest/start_calls.hpp"

#include <algorithm>
#include <limits>

#include "api/rest/body_reader.hpp"
#include "base/check.hpp"
#include "core/limits.hpp"
#include "engine/get_instance.hpp"

namespace millrace::rest {

namespace {

// Under its key nothing is started a second time.
Error removed_since(const InstanceId& id) {
    return {ErrorCode::not_found, "Expected the instance that this key has started, but " +
                                      to_string(id.value) + " has ended and was removed since."};
}

}  // namespace

std::int32_t asked_version(std::optional<std::int64_t> version) {
    constexpr std::int64_t kVersionMax = std::numeric_limits<std::int32_t>::max();
    return static_cast<std::int32_t>(std::clamp<std::int64_t>(version.value_or(0), 0, kVersionMax));
}

Result<StartInstance> parse_start(const json::Value& object, const WorkspaceId& workspace_id,
                                  std::string path) {
    BodyReader body(object, std::move(path));
    StartInstance command{.key = {.workspace_id = workspace_id}};
    command.definition_id = body.name("definitionId");
    command.definition_version = asked_version(body.integer("definitionVersion"));
    command.business_key = body.name("businessKey");
    const json::Value variables = body.object("variables");
    if (command.definition_id.empty()) body.refuse("definitionId", "definitionId is required");
    if (body.has_error()) return body.error();

    if (variables.is_object()) command.variables = Variables::from_value(variables);
    if (command.variables.text().size() > limits::kVariablesBytesMax) {
        return Error{ErrorCode::too_large, "variables must be at most " +
                                               std::to_string(limits::kVariablesBytesMax) +
                                               " bytes long"};
    }
    return command;
}

json::Value asked_by_start(const StartInstance& command) {
    return json::Object{{"definitionId", command.definition_id},
                        {"definitionVersion", command.definition_version},
                        {"businessKey", command.business_key},
                        {"variables", command.variables.value()}};
}

void find_started(QueryQueue& queries, const WorkspaceId& workspace_id,
                  Result<Once<Instance>> answer, std::function<void(const Result<Started>&)> done) {
    if (!answer) return done(answer.error());
    if (answer->answer) return done(Started{.instance = std::move(*answer->answer)});
    MILLRACE_CHECK(answer->instance_id.has_value());
    const InstanceId id = *answer->instance_id;
    queries.submit(GetInstance{{id, workspace_id}},
                   [id, done = std::move(done)](Result<Instance> found) {
                       const bool is_gone = !found && found.error().code == ErrorCode::not_found;
                       if (!found) return done(is_gone ? removed_since(id) : found.error());
                       done(Started{.instance = std::move(*found), .is_replayed = true});
                   });
}

}  // namespace millrace::rest
