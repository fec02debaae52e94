#include "simulator/users.hpp"

#include <algorithm>
#include <chrono>

#include "engine/finish_user_task.hpp"
#include "engine/resume_instance.hpp"
#include "engine/retry_instance.hpp"
#include "engine/signal_wait.hpp"
#include "simulator/user_calls.hpp"

namespace millrace::sim {

namespace {

constexpr std::size_t kKnownMax = 60;
constexpr std::size_t kRepeatsMax = 30;
constexpr int kDefinitionsMax = 3;  // Of each workspace.
constexpr std::int32_t kHelpedMax = 200;
constexpr Duration kTimersAwaited = std::chrono::minutes{10};

std::string definition_name(std::size_t number) {
    return "flow" + std::to_string(number);
}

}  // namespace

Users::Users(const Swarm& swarm, std::uint64_t seed)
    : swarm_(swarm),
      seed_(seed_of(seed, "users")),
      deeds_(choices(), SimRandom(seed_of(seed_, "deeds"))) {
    SimRandom random(seed_of(seed_, "mix"));
    mix_ = DefinitionMix::random(random);
}

std::vector<Deeds<Users>::Choice> Users::choices() {
    return {{30, &Users::start},        {5, &Users::start_many},       {8, &Users::repeat},
            {2, &Users::reuse_key},     {3, &Users::upload},           {10, &Users::signal},
            {6, &Users::complete_task}, {6, &Users::finish_task},      {4, &Users::claim_task},
            {3, &Users::unclaim_task},  {3, &Users::assign_task},      {3, &Users::cancel},
            {1, &Users::cancel_many},   {4, &Users::suspend},          {6, &Users::resume},
            {6, &Users::retry},         {6, &Users::change_variables}, {3, &Users::look}};
}

void Users::enter(World& world) {
    SimRandom random(seed_of(seed_, "enter"));
    for (const WorkspaceId& workspace : swarm_.workspaces) {
        const auto count = static_cast<std::size_t>(random.between(1, kDefinitionsMax));
        for (std::size_t number = 0; number < count; ++number) {
            const bool is_chained = number > 0 && random.chance(30);
            const std::string next = is_chained ? definition_name(number - 1) : std::string();
            upload_one(world, 0, workspace,
                       random_definition(random, mix_, definition_name(number), next));
        }
    }
}

// Everything that waits for a person, as it stands in the store: whoever started it.
bool Users::help(World& world) {
    SimRandom random(seed_of(seed_, "help", ++helps_));
    const std::vector<int> up = world.replicas_up();
    if (up.empty()) return true;
    bool was_needed = false;
    for (const WorkspaceId& workspace : swarm_.workspaces) {
        const InstanceFilter open{.workspace_id = workspace,
                                  .statuses = {InstanceStatus::active, InstanceStatus::waiting},
                                  .oldest_first = true};
        const auto found = world.reader().instances(open, {.size = kHelpedMax});
        if (!found) continue;
        for (const Instance& instance : found->items) {
            was_needed = help_instance(world, random.pick(up), instance, random) || was_needed;
        }
    }
    return was_needed;
}

bool Users::help_instance(World& world, int replica, const Instance& instance, SimRandom& random) {
    const WorkspaceId& workspace = instance.key.workspace_id;
    Deed deed{world, random.branch(), replica};
    const Id128& id = instance.key.id.value;
    if (instance.state.is_suspended) {
        send(deed, workspace, id, ResumeInstance{instance.key});
        return true;
    }
    for (const OpenStep& step : instance.state.open_steps) {
        // A timer that is to fire soon is waited for: nobody else would see that it does not.
        const bool waits = std::ranges::any_of(step.timers, [&](const OpenTimer& timer) {
            return timer.fire_at < world.store_time() + kTimersAwaited;
        });
        if (waits) continue;
        const json::Value changes = json_from(random_changes(random));
        if (step.type == StepType::wait) {
            send(deed, workspace, id,
                 SignalWait{
                     .instance = instance.key, .step_id = step.step_id, .variables = changes});
        } else if (step.type == StepType::user_task) {
            const StepExecutionId entry{id.with_sequence(step.sequence)};
            const auto task = world.reader().user_task({user_task_of(entry), workspace});
            const std::string user = task && *task ? (*task)->assignee : std::string();
            send(deed, workspace, user_task_of(entry).value,
                 FinishUserTask{.task = {user_task_of(entry), workspace},
                                .user_id = user,
                                .variables = changes});
        }
    }
    return true;
}

const WorkspaceId& Users::draw_workspace(Deed& deed) const {
    return deed.random.pick(swarm_.workspaces);
}

std::string Users::draw_definition(Deed& deed) const {
    return definition_name(deed.random.below(kDefinitionsMax + (deed.random.chance(5) ? 2u : 0u)));
}

std::optional<std::string> Users::draw_key(Deed& deed) {
    if (!swarm_.has_keys || deed.random.chance(40)) return std::nullopt;
    return "k" + std::to_string(deed.random.next() % 1'000'000'007);
}

Users::Sight Users::draw_instance(Deed& deed) {
    Sight sight;
    const bool is_stranger = known_.empty() || deed.random.chance(2);
    if (is_stranger) {
        sight.key = {{Id128::for_instance(deed.world.now(), deed.random.next())},
                     draw_workspace(deed)};
        return sight;
    }
    // Late ones are more likely to be open.
    const std::size_t back =
        std::min(deed.random.below(known_.size()), deed.random.below(known_.size()));
    sight.key = known_.at(known_.size() - 1 - back);
    if (deed.random.chance(2)) sight.key.workspace_id = draw_workspace(deed);
    if (auto found = deed.world.reader().instance(sight.key)) sight.instance = std::move(*found);
    return sight;
}

std::string Users::draw_step(Deed& deed, const Sight& sight, StepType type) {
    std::vector<std::string> fitting;
    std::vector<std::string> others{"nowhere"};
    if (sight.instance) {
        for (const OpenStep& step : sight.instance->state.open_steps) {
            (step.type == type ? fitting : others).push_back(step.step_id);
        }
    }
    return deed.random.pick(fitting.empty() || deed.random.chance(5) ? others : fitting);
}

UserTaskKey Users::draw_task(Deed& deed) {
    const WorkspaceId& workspace = draw_workspace(deed);
    UserTaskFilter filter{.workspace_id = workspace};
    if (deed.random.chance(80)) filter.status = UserTaskState::open;
    const auto found = deed.world.reader().user_tasks(filter, {.size = 20});
    if (!found || found->items.empty() || deed.random.chance(3)) {
        const Sight sight = draw_instance(deed);
        return {UserTaskId{sight.key.id.value.with_sequence(2)}, workspace};
    }
    return deed.random.pick(found->items).key;
}

void Users::note(const InstanceKey& key) {
    known_.push_back(key);
    if (known_.size() > kKnownMax) known_.pop_front();
}

void Users::note_repeat(std::function<void(World&, int replica)> again) {
    repeats_.push_back(std::move(again));
    if (repeats_.size() > kRepeatsMax) repeats_.pop_front();
}

}  // namespace millrace::sim
