#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/retry_instance.hpp"
#include "simulator/actor.hpp"
#include "simulator/deeds.hpp"
#include "simulator/random_definition.hpp"
#include "simulator/requests.hpp"

namespace millrace::sim {

// People and programs that upload definitions, start instances and move them by hand. What they
// send, and to which replica, is theirs; they know the ids that they were told, and some that they
// were not.
class Users final : public Actor {
public:
    Users(const Swarm& swarm, std::uint64_t seed);

    std::string_view name() const override { return "users"; }
    int weight() const override { return swarm_.user_weight; }
    void enter(World& world) override;
    void act(const Event& event, World& world) override { deeds_.act(*this, event, world); }
    bool help(World& world) override;

private:
    static std::vector<Deeds<Users>::Choice> choices();

    // user_starts.cpp
    void upload(Deed& deed);
    void start(Deed& deed);
    void start_many(Deed& deed);
    void repeat(Deed& deed);
    void reuse_key(Deed& deed);

    // user_moves.cpp
    void signal(Deed& deed);
    void complete_task(Deed& deed);
    void finish_task(Deed& deed);
    void claim_task(Deed& deed);
    void unclaim_task(Deed& deed);
    void assign_task(Deed& deed);
    void cancel(Deed& deed);
    void cancel_many(Deed& deed);
    void suspend(Deed& deed);
    void resume(Deed& deed);
    void retry(Deed& deed);
    void change_variables(Deed& deed);
    void look(Deed& deed);

    // users.cpp
    const WorkspaceId& draw_workspace(Deed& deed) const;
    std::string draw_definition(Deed& deed) const;
    std::optional<std::string> draw_key(Deed& deed);
    // One that somebody has started, seldom one that nobody knows; with its rows, if there are any.
    struct Sight {
        InstanceKey key{};
        std::optional<Instance> instance{};
    };
    Sight draw_instance(Deed& deed);
    // A step of that type that is open in it; else some other name.
    static std::string draw_step(Deed& deed, const Sight& sight, StepType type);
    UserTaskKey draw_task(Deed& deed);

    void upload_one(World& world, int replica, const WorkspaceId& workspace_id,
                    std::string_view text);
    void start_one(World& world, int replica, const StartInstance& command,
                   const std::optional<std::string>& key);
    std::unique_ptr<Command> start_command(World& world, int replica, StartInstance command,
                                           const std::optional<std::string>& key);
    StartInstance draw_start(Deed& deed);
    template <class Request>
    void send_once(Deed& deed, const WorkspaceId& workspace_id, const Id128& id, Request request,
                   json::Value asked);
    template <class Request>
    void send(Deed& deed, const WorkspaceId& workspace_id, const Id128& id, Request request);
    void retry_with(World& world, int replica, const Audited<RetryInstance>& command);
    void note(const InstanceKey& key);
    void note_repeat(std::function<void(World&, int replica)> again);
    bool help_instance(World& world, int replica, const Instance& instance, SimRandom& random);

    const Swarm& swarm_;
    const std::uint64_t seed_;
    const Deeds<Users> deeds_;
    DefinitionMix mix_{};
    std::uint64_t helps_ = 0;
    std::deque<InstanceKey> known_{};
    std::deque<std::function<void(World&, int replica)>> repeats_{};
};

}  // namespace millrace::sim
