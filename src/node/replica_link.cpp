#include "node/replica_link.hpp"

#include <utility>

namespace millrace {

namespace {

using namespace std::chrono_literals;

// After so much silence the listener asks whether the server is still there.
constexpr Duration kListenPatience = 10s;

}  // namespace

ReplicaLink::ReplicaLink(const NodeContext& context, LoopSet& loops, Replica self, Hearers hearers)
    : context_(context),
      hearers_(std::move(hearers)),
      sender_(context.database.hint_sender()),
      listener_(context.database.hint_listener()),
      cluster_(context.database.cluster()),
      sender_loop_(loops.add("hints out", [this] { return send(); }, {.is_a_help = true})),
      listener_loop_(loops.add("hints in", [this] { return listen(); },
                               {.is_needed = listener_ != nullptr, .is_a_help = true})),
      member_loop_(loops.add("cluster", [this] { return beat(); }, {.is_a_help = true})),
      collector_(*sender_, context.clock, [this] { sender_loop_.wake(); }),
      member_(*cluster_, std::move(self), context.clock, member_listener()) {}

void ReplicaLink::measure() {
    context_.metrics.replicas_alive.set(static_cast<std::int64_t>(member_.replicas().size()));
    context_.metrics.duty_lease_held.set(member_.lease() ? 1 : 0);
}

// The others are told last, when there is something to see.
void ReplicaLink::stop(runtime::LoopRunner& runner) {
    if (is_stopping_.exchange(true)) return;
    if (listener_ != nullptr) listener_->interrupt();
    runner.stop(listener_loop_);
    runner.stop(member_loop_);
    // One who was not heard of lately waits for nobody: the others find out.
    if (is_member_) {
        member_.leave();
        collector_.tell_of_members();
    }
    runner.finish(sender_loop_);
}

ClusterMember::Listener ReplicaLink::member_listener() {
    return {
        .came =
            [this](const Replica& replica) {
                context_.log.info("Another replica is there.",
                                  {{"replica", replica.name}, {"version", replica.version}});
            },
        .gone =
            [this](const Replica& replica) {
                context_.log.info("Another replica is gone.", {{"replica", replica.name}});
            },
        .lease_changed = hearers_.lease_changed,
    };
}

Round ReplicaLink::send() {
    const HintCollector::Round round = collector_.run_once();
    if (round.unhealthy && is_stopping_) return {};
    context_.metrics.hints_sent.add(round.sent);
    context_.metrics.hints_coalesced.add(round.coalesced);
    return {.unhealthy = round.unhealthy, .next_at = round.next_at};
}

Round ReplicaLink::listen() {
    if (is_stopping_) return {};
    const Result<std::vector<Hint>> hints = listener_->wait(kListenPatience);
    set_listening(static_cast<bool>(hints));
    if (!hints) return {.unhealthy = true};
    hear(*hints);
    return {.progressed = true};
}

Round ReplicaLink::beat() {
    const Round round = member_.run_once();
    const bool was_member = std::exchange(is_member_, !round.unhealthy);
    if (round.unhealthy) return round;
    if (!was_member) collector_.tell_of_members();
    set_alone(member_.replicas().size() == 1);
    return round;
}

void ReplicaLink::hear(const std::vector<Hint>& hints) {
    for (const Hint& hint : hints) {
        if (hint.members_changed) {
            member_.hasten();
            member_loop_.wake();
        }
        hearers_.hint(hint);
    }
    context_.metrics.hints_received.add(hints.size());
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
