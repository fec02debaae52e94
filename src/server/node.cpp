#include "server/node.hpp"

#include <algorithm>
#include <chrono>

namespace millrace {

namespace {

using namespace std::chrono_literals;

constexpr int kReaderCount = 2;
constexpr Duration kPauseAfterFailure = 200ms;
constexpr Duration kSleepMax = 1h;
// On a shared store: how long the work of a replica that died may be overdue.
constexpr Duration kSharedSleepMax = 2s;

std::optional<Duration> sleep_max(const Database& database) {
    return database.is_shared() ? std::optional(kSharedSleepMax) : std::nullopt;
}

using Threads = std::vector<std::unique_ptr<runtime::LoopThread>>;

// An idle one takes the work at once. When none is, each looks again before it sleeps.
void wake_one(const Threads& threads) {
    for (const auto& thread : threads) {
        if (thread->wake_if_idle()) return;
    }
    for (const auto& thread : threads) thread->wake();
}

}  // namespace

Node::Node(Database& database, const Clock& clock, observe::Metrics& metrics, observe::Log& log)
    : database_(database),
      clock_(clock),
      metrics_(metrics),
      log_(log),
      listener_(metrics, watch_),
      commands_([this] { wake_one(committer_threads_); }),
      queries_([this] { wake_one(reader_threads_); }),
      claimer_(database.job_claimer()),
      broker_(*claimer_, commands_, listener_, clock, {.is_shared = database.is_shared()},
              [this] { broker_thread_.wake(); }),
      timer_reader_(database.reader()),
      lease_reader_(database.reader()),
      idempotency_reader_(database.reader()),
      timer_firer_(timer_source(*timer_reader_, commands_), clock, sleep_max(database),
                   [this] { timer_thread_.wake(); }),
      lease_reaper_(
          lease_source(*lease_reader_, commands_, [&metrics] { metrics.job_timeouts.add(); }),
          clock, sleep_max(database), [this] { lease_thread_.wake(); }),
      idempotency_forgetter_(*idempotency_reader_, commands_, clock,
                             [this] { idempotency_thread_.wake(); }),
      broker_thread_("dispatch",
                     [this, unhealthy = false]() mutable { return dispatch(unhealthy); }),
      timer_thread_("timers",
                    [this, unhealthy = false]() mutable {
                        return run_duty(timer_firer_, unhealthy, "timers");
                    }),
      lease_thread_("leases",
                    [this, unhealthy = false]() mutable {
                        return run_duty(lease_reaper_, unhealthy, "leases");
                    }),
      idempotency_thread_("idempotency", [this, unhealthy = false]() mutable {
          return run_duty(idempotency_forgetter_, unhealthy, "idempotency");
      }) {
    listener_.set_due_notes({
        .timer_at = [this](Instant at) { timer_firer_.note(at); },
        .lease_expires_at = [this](Instant at) { lease_reaper_.note(at); },
    });
    add_committers();
    add_readers();
}

Node::~Node() {
    stop();
}

void Node::start() {
    for (const auto& thread : committer_threads_) thread->start();
    for (const auto& thread : reader_threads_) thread->start();
    broker_thread_.start();
    timer_thread_.start();
    lease_thread_.start();
    idempotency_thread_.start();
}

void Node::measure() {
    metrics_.commands_waiting.set(static_cast<std::int64_t>(commands_.waiting()));
    metrics_.polls_parked.set(static_cast<std::int64_t>(broker_.waiting()));
}

// Duties first: they make commands. Committers last: they answer them.
void Node::stop() {
    broker_.drain();
    timer_thread_.stop();
    lease_thread_.stop();
    idempotency_thread_.stop();
    broker_thread_.finish();
    commands_.close();
    for (const auto& thread : committer_threads_) thread->finish();
    for (const auto& thread : reader_threads_) thread->finish();
}

void Node::add_committers() {
    for (int i = 0; i < database_.committer_count(); ++i) {
        batch_stores_.push_back(database_.batch_store());
        committers_.push_back(std::make_unique<Committer>(*batch_stores_.back(), commands_, broker_,
                                                          listener_, clock_));
        auto run_once = [this, committer = committers_.back().get(),
                         unhealthy = false]() mutable -> Next {
            switch (committer->run_once()) {
                case Committer::Round::idle: return {};
                case Committer::Round::progressed:
                    after_success(unhealthy, "committer");
                    return {.at_once = true};
                case Committer::Round::unhealthy: return after_failure(unhealthy, "committer");
            }
            return {};
        };
        committer_threads_.push_back(
            std::make_unique<runtime::LoopThread>("committer", std::move(run_once)));
    }
}

void Node::add_readers() {
    for (int i = 0; i < kReaderCount; ++i) {
        readers_.push_back(database_.reader());
        auto run_once = [this, reader = readers_.back().get()]() -> Next {
            return {.at_once = queries_.run_once(*reader)};
        };
        reader_threads_.push_back(
            std::make_unique<runtime::LoopThread>("reader", std::move(run_once)));
    }
}

Node::Next Node::dispatch(bool& unhealthy) {
    const JobBroker::Round round = broker_.run_once();
    if (round.unhealthy) return after_failure(unhealthy, "dispatch");
    after_success(unhealthy, "dispatch");
    return round.progressed ? Next{.at_once = true} : until(round.next_at);
}

template <class Duty>
Node::Next Node::run_duty(Duty& duty, bool& unhealthy, std::string_view name) {
    const DutyRound round = duty.run_once();
    if (round.unhealthy) return after_failure(unhealthy, name);
    after_success(unhealthy, name);
    return until(round.next_at);
}

Node::Next Node::until(std::optional<Instant> at) const {
    if (!at) return {};
    // What is kept back for good ends in the year 9999: no clock sleeps that long.
    return {.after = std::clamp(*at - clock_.now(), Duration::zero(), kSleepMax)};
}

Node::Next Node::after_failure(bool& was_unhealthy, std::string_view loop) {
    if (!was_unhealthy) {
        was_unhealthy = true;
        unhealthy_loops_ += 1;
        log_.warn("The store does not answer; trying again.", {{"loop", loop}});
    }
    return {.after = kPauseAfterFailure};
}

void Node::after_success(bool& was_unhealthy, std::string_view loop) {
    if (!was_unhealthy) return;
    was_unhealthy = false;
    unhealthy_loops_ -= 1;
    log_.info("The store answers again.", {{"loop", loop}});
}

}  // namespace millrace
