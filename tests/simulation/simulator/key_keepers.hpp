#pragma once

#include <map>
#include <optional>
#include <string>

#include "simulator/actor.hpp"
#include "simulator/observer.hpp"
#include "simulator/swarm.hpp"

namespace millrace::sim {

// Those who make API keys and revoke them, and who look that a key which they were told of is
// there, and that one which they were told is revoked stays so.
class KeyKeepers final : public Actor, public Observer {
public:
    explicit KeyKeepers(const Swarm& swarm) : swarm_(swarm) {}

    std::string_view name() const override { return "key keepers"; }
    int weight() const override { return swarm_.key_weight; }
    void act(const Event& event, World& world) override;

    void on_applied(const Writes& writes, Instant store_now, int replica) override;
    void on_claimed(const std::vector<DeliveredJob>&, Instant, int) override {}
    void on_asked(const Told&) override {}
    void on_told(const Told& call) override;
    std::optional<std::string> violation() const override { return violation_; }
    void compare(Reader& reader, Instant store_now) override;
    void at_end(Reader&, Instant) override {}

private:
    void create(SimRandom& random, int replica, World& world);
    void revoke(SimRandom& random, int replica, World& world);

    const Swarm& swarm_;
    std::map<std::string, ApiKey> keys_{};  // As they were committed.
    std::optional<std::string> violation_{};
};

}  // namespace millrace::sim
