#include "server/replica_link.hpp"

#include <algorithm>
#include <utility>

namespace millrace {

namespace {

using namespace std::chrono_literals;

// After so much silence the listener asks whether the server is still there.
constexpr Duration kListenPatience = 10s;

}  // namespace

ReplicaLink::ReplicaLink(Database& database, Replica self, const Clock& clock, Random& random,
                         observe::Metrics& metrics, observe::Log& log, Hearers hearers)
    : clock_(clock),
      metrics_(metrics),
      log_(log),
      hearers_(std::move(hearers)),
      sender_(database.hint_sender()),
      listener_(database.hint_listener()),
      cluster_(database.cluster()),
      collector_(*sender_, clock, [this] { sender_thread_.wake(); }),
      member_(*cluster_, std::move(self), clock, member_listener()),
      sender_health_("hints out", log, silent_loops_, random),
      listener_health_("hints in", log, silent_loops_, random),
      member_health_("cluster", log, silent_loops_, random),
      sender_thread_("hints out", [this] { return send(); }),
      listener_thread_("hints in", [this] { return listen(); }),
      member_thread_("cluster", [this] { return beat(); }) {}

ReplicaLink::~ReplicaLink() {
    stop();
}

void ReplicaLink::measure() {
    metrics_.replicas_alive.set(static_cast<std::int64_t>(member_.replicas().size()));
    metrics_.duty_lease_held.set(member_.lease() ? 1 : 0);
}

void ReplicaLink::start() {
    is_started_ = true;
    member_thread_.start();
    sender_thread_.start();
    if (listener_ != nullptr) listener_thread_.start();
}

// The others are told last, when there is something to see.
void ReplicaLink::stop() {
    if (!std::exchange(is_started_, false)) return;
    is_stopping_ = true;
    if (listener_ != nullptr) listener_->interrupt();
    listener_thread_.stop();
    member_thread_.stop();
    // Whoever was not heard of lately waits for nobody: the others find out.
    if (is_member_) {
        member_.leave();
        collector_.tell_of_members();
    }
    sender_thread_.finish();
}

ClusterMember::Listener ReplicaLink::member_listener() {
    return {
        .came =
            [this](const Replica& replica) {
                log_.info("Another replica is there.",
                          {{"replica", replica.name}, {"version", replica.version}});
            },
        .gone =
            [this](const Replica& replica) {
                log_.info("Another replica is gone.", {{"replica", replica.name}});
            },
        .lease_changed = hearers_.lease_changed,
    };
}

ReplicaLink::Next ReplicaLink::send() {
    const HintCollector::Round round = collector_.run_once();
    if (round.unhealthy && is_stopping_) return {};
    if (round.unhealthy) return sender_health_.failed();
    sender_health_.succeeded();
    metrics_.hints_sent.add(round.sent);
    metrics_.hints_coalesced.add(round.coalesced);
    return until(round.next_at);
}

ReplicaLink::Next ReplicaLink::listen() {
    if (is_stopping_) return {};
    const Result<std::vector<Hint>> hints = listener_->wait(kListenPatience);
    set_listening(static_cast<bool>(hints));
    if (!hints) return listener_health_.failed();
    listener_health_.succeeded();
    hear(*hints);
    return {.at_once = true};
}

ReplicaLink::Next ReplicaLink::beat() {
    const DutyRound round = member_.run_once();
    const bool was_member = std::exchange(is_member_, !round.unhealthy);
    if (round.unhealthy) return member_health_.failed();
    member_health_.succeeded();
    if (!was_member) collector_.tell_of_members();
    set_alone(member_.replicas().size() == 1);
    return until(round.next_at);
}

ReplicaLink::Next ReplicaLink::until(std::optional<Instant> at) const {
    if (!at) return {};
    return {.after = std::max(Duration(*at - clock_.now()), Duration::zero())};
}

void ReplicaLink::hear(const std::vector<Hint>& hints) {
    for (const Hint& hint : hints) {
        if (hint.members_changed) {
            member_.hasten();
            member_thread_.wake();
        }
        hearers_.hint(hint);
    }
    metrics_.hints_received.add(hints.size());
}

void ReplicaLink::set_listening(bool is_listening) {
    is_listening_ = is_listening;
    tell_pace();
}

void ReplicaLink::set_alone(bool is_alone) {
    is_alone_ = is_alone;
    collector_.set_audience(!is_alone);
    tell_pace();
}

void ReplicaLink::tell_pace() {
    hearers_.is_hinted(is_listening_ || is_alone_);
}

}  // namespace millrace
