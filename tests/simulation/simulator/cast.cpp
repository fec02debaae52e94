#include "simulator/cast.hpp"

#include "simulator/bad_luck.hpp"
#include "simulator/key_keepers.hpp"
#include "simulator/ledger_observer.hpp"
#include "simulator/queue_users.hpp"
#include "simulator/remote_cluster.hpp"
#include "simulator/users.hpp"
#include "simulator/workers.hpp"

namespace millrace::sim {

std::vector<std::unique_ptr<Actor>> make_actors(const Swarm& swarm, std::uint64_t seed) {
    std::vector<std::unique_ptr<Actor>> actors;
    actors.push_back(std::make_unique<Users>(swarm, seed));
    actors.push_back(std::make_unique<Workers>(swarm, seed));
    actors.push_back(std::make_unique<BadLuck>(swarm));
    auto cluster = std::make_unique<RemoteCluster>(swarm, seed);
    auto tenants = std::make_unique<QueueUsers>(swarm, seed, *cluster);
    actors.push_back(std::move(cluster));
    actors.push_back(std::move(tenants));
    actors.push_back(std::make_unique<KeyKeepers>(swarm));
    return actors;
}

std::vector<std::unique_ptr<Observer>> make_observers(const Swarm&) {
    std::vector<std::unique_ptr<Observer>> observers;
    observers.push_back(std::make_unique<LedgerObserver>());
    return observers;
}

}  // namespace millrace::sim
