#pragma once

#include <deque>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "queue/cancel_execution.hpp"
#include "queue/enqueue_execution.hpp"
#include "queue/retire_workspace.hpp"
#include "simulator/actor.hpp"
#include "simulator/deeds.hpp"
#include "simulator/random_definition.hpp"
#include "simulator/remote_cluster.hpp"
#include "simulator/requests.hpp"

namespace millrace::sim {

// Tenants of the execution queue: they make, change and delete workspaces, enqueue, cancel, and
// deal with what has failed.
class QueueUsers final : public Actor {
public:
    QueueUsers(const Swarm& swarm, std::uint64_t seed, const RemoteCluster& cluster);

    std::string_view name() const override { return "queue users"; }
    int weight() const override { return swarm_.queue_weight; }
    void enter(World& world) override;
    void act(const Event& event, World& world) override { deeds_.act(*this, event, world); }
    void equip(Node::Options& options, int replica, World& world) override;
    bool help(World& world) override;

private:
    static std::vector<Deeds<QueueUsers>::Choice> choices();

    // queue_enqueues.cpp
    void enqueue(Deed& deed);
    void enqueue_many(Deed& deed);
    void repeat(Deed& deed);
    EnqueueExecution draw_enqueue(Deed& deed);
    std::unique_ptr<Command> enqueue_command(World& world, int replica, EnqueueExecution command,
                                             const std::optional<std::string>& key);
    void enqueue_one(World& world, int replica, const EnqueueExecution& command,
                     const std::optional<std::string>& key);

    // queue_moves.cpp
    void cancel(Deed& deed);
    void cancel_with(World& world, int replica, const CancelExecution& command,
                     std::function<void(const Result<ExecutionId>&)> done);
    void retry(Deed& deed);
    void resume(Deed& deed);
    void redrive(Deed& deed);
    void dismiss(Deed& deed);
    void purge(Deed& deed);
    void report(Deed& deed);
    void recover(Deed& deed);
    void look(Deed& deed);

    // workspace_moves.cpp
    void create_workspace(Deed& deed);
    void change_workspace(Deed& deed);
    void delete_workspace(Deed& deed);
    void create_one(World& world, int replica, const WorkspaceId& id, SimRandom& random);
    void upload_all(World& world, int replica, const WorkspaceId& id);
    void upload_one(World& world, int replica, const WorkspaceId& id, std::string_view text);
    bool help_workspace(World& world, int replica, const Workspace& workspace);

    // queue_users.cpp
    const WorkspaceId& draw_workspace(Deed& deed) const;
    std::optional<std::string> draw_key(Deed& deed) const;
    // One that the store has, in one of these states if there is any; seldom one that nobody knows.
    Execution draw_execution(Deed& deed, std::vector<QueueStatus> statuses);
    template <class Request>
    void send(Deed& deed, const ExecutionKey& key, Request request);

    const Swarm& swarm_;
    const std::uint64_t seed_;
    const Deeds<QueueUsers> deeds_;
    const RemoteCluster& cluster_;
    std::vector<WorkspaceId> workspaces_;
    DefinitionMix mix_{};
    std::uint64_t helps_ = 0;
    std::set<ExecutionKey> driven_again_;  // Or somebody has asked for that.
    std::deque<std::function<void(World&, int replica)>> repeats_{};
};

template <class Request>
void QueueUsers::send(Deed& deed, const ExecutionKey& key, Request request) {
    deed.world.submit(
        {.replica = deed.replica, .workspace_id = key.workspace_id, .ids = {key.id.value}},
        audited(deed.world, deed.replica, key.workspace_id, std::move(request)));
}

}  // namespace millrace::sim
