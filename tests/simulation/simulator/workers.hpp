#pragma once

#include <deque>
#include <string>
#include <vector>

#include "simulator/actor.hpp"
#include "simulator/deeds.hpp"
#include "simulator/random_definition.hpp"
#include "simulator/requests.hpp"

namespace millrace::sim {

// Programs that poll for jobs and report: on time, late, twice, to another replica, with a wrong
// token, or never. Some give jobs back untried.
class Workers final : public Actor {
public:
    Workers(const Swarm& swarm, std::uint64_t seed);

    std::string_view name() const override { return "workers"; }
    int weight() const override { return swarm_.worker_weight; }
    void act(const Event& event, World& world) override { deeds_.act(*this, event, world); }
    bool help(World& world) override;

private:
    struct OpenPoll {
        int replica = 0;
        JobBroker::PollId id = 0;
    };

    static std::vector<Deeds<Workers>::Choice> choices();

    void poll(Deed& deed);
    void hang_up(Deed& deed);
    void complete(Deed& deed);
    void complete_many(Deed& deed);
    void report_again(Deed& deed);
    void report_wrongly(Deed& deed);
    void fail(Deed& deed);
    void release(Deed& deed);
    void extend(Deed& deed);
    void vanish(Deed& deed);

    void send_poll(Deed& deed, PollJobs request);
    void send_complete(World& world, int replica, const DeliveredJob& job, json::Value variables);
    std::optional<DeliveredJob> take_job(Deed& deed);
    static CallInfo about(const DeliveredJob& job, int replica);

    const Swarm& swarm_;
    const std::uint64_t seed_;
    const Deeds<Workers> deeds_;
    std::uint64_t helps_ = 0;
    std::deque<DeliveredJob> in_hand_{};
    std::deque<DeliveredJob> reported_{};
    std::vector<OpenPoll> polls_{};
};

}  // namespace millrace::sim
