#include "engine/upload_definition.hpp"
#include "simulator/user_calls.hpp"

namespace millrace::sim {

namespace {

constexpr int kStartsMost = 8;

json::Value asked_by_start(const StartInstance& command) {
    Result<json::Value> variables = command.variables.value();
    return json::Object{{"definitionId", command.definition_id},
                        {"definitionVersion", command.definition_version},
                        {"businessKey", command.business_key},
                        {"variables", variables ? std::move(*variables) : json::Value{}}};
}

}  // namespace

void Users::upload(Deed& deed) {
    const WorkspaceId& workspace = draw_workspace(deed);
    if (deed.random.chance(5)) return upload_one(deed.world, deed.replica, workspace, "{}");
    const std::string text = random_definition(deed.random, mix_, draw_definition(deed));
    upload_one(deed.world, deed.replica, workspace, text);
    const auto again = [this, workspace, text](World& world, int replica) {
        upload_one(world, replica, workspace, text);
    };
    if (deed.random.chance(50)) note_repeat(again);
}

void Users::upload_one(World& world, int replica, const WorkspaceId& workspace_id,
                       std::string_view text) {
    // A document that is no definition never becomes a command.
    Result<UploadDefinition> command = make_upload(workspace_id, json_from(text));
    if (!command) return;
    world.submit({.replica = replica, .workspace_id = workspace_id},
                 audited(world, replica, workspace_id, std::move(*command)));
}

StartInstance Users::draw_start(Deed& deed) {
    StartInstance command{.key = {.workspace_id = draw_workspace(deed)},
                          .definition_id = draw_definition(deed)};
    if (deed.random.chance(10)) command.definition_version = deed.random.between(1, 3);
    if (deed.random.chance(30)) command.business_key = "b" + std::to_string(deed.random.below(5));
    const Result<Variables> variables = Variables::from_value(json_from(random_input(deed.random)));
    if (variables) command.variables = *variables;
    return command;
}

std::unique_ptr<Command> Users::start_command(World& world, int replica, StartInstance command,
                                              const std::optional<std::string>& key) {
    command.key.id = world.replica(replica).next_id();
    const InstanceKey instance = command.key;
    json::Value asked = asked_by_start(command);
    const CallInfo info{replica, instance.workspace_id, {instance.id.value}, key};
    return world.make_command(info,
                              once(key, instance.workspace_id,
                                   audited_start(world, std::move(command)), std::move(asked)),
                              std::function([this, instance](Result<Once<Instance>> answer) {
                                  if (answer && answer->answer) note(instance);
                                  if (!answer && answer.error().code == ErrorCode::commit_unknown)
                                      note(instance);
                              }));
}

void Users::start_one(World& world, int replica, const StartInstance& command,
                      const std::optional<std::string>& key) {
    std::vector<std::unique_ptr<Command>> one;
    one.push_back(start_command(world, replica, command, key));
    world.push(replica, std::move(one));
}

void Users::start(Deed& deed) {
    const StartInstance command = draw_start(deed);
    const std::optional<std::string> key = draw_key(deed);
    start_one(deed.world, deed.replica, command, key);
    if (!key) return;
    note_repeat([this, command, key](World& world, int replica) {
        start_one(world, replica, command, key);
    });
}

void Users::start_many(Deed& deed) {
    if (!swarm_.has_bulk) return start(deed);
    std::vector<std::unique_ptr<Command>> many;
    const std::optional<std::string> shared_key = draw_key(deed);
    const int count = deed.random.between(2, kStartsMost);
    for (int item = 0; item < count; ++item) {
        // Two items may have the same key.
        const bool is_shared = deed.random.chance(20);
        many.push_back(start_command(deed.world, deed.replica, draw_start(deed),
                                     is_shared ? shared_key : draw_key(deed)));
    }
    deed.world.push(deed.replica, std::move(many));
}

void Users::repeat(Deed& deed) {
    if (!repeats_.empty()) deed.random.pick(repeats_)(deed.world, deed.replica);
}

// Another request under a key that was used.
void Users::reuse_key(Deed& deed) {
    const std::string key = "reused" + std::to_string(deed.random.below(3));
    start_one(deed.world, deed.replica, draw_start(deed), key);
}

}  // namespace millrace::sim
