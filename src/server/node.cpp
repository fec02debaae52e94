#include "server/node.hpp"

#include <algorithm>
#include <chrono>

#include "server/sleep_max.hpp"

namespace millrace {

namespace {

using namespace std::chrono_literals;

constexpr int kReaderCount = 2;
// So that a batch has had all its tries within the patience of a client.
constexpr runtime::Backoff::Limits kCommitterPauses{.most = 1s};
// As often as most look at metrics; the database's own figures are about as old.
constexpr Duration kStatisticsInterval = 15s;

DutyRight right_of(const ReplicaLink* link) {
    if (link == nullptr) return DutyRight();
    return DutyRight([link] { return link->lease(); });
}

// Where replicas share a store, each begins with other rows that are due.
template <class Source>
Source shared_out(Source source, const Database& database, Random& random) {
    if (!database.is_shared()) return source;
    source.preference = [seed = random.next()](const auto& key) {
        return (key.id.value.high ^ key.id.value.low ^ seed) * 0x9E3779B97F4A7C15u;
    };
    return source;
}

RefusedNote refused_note(DutyWatch& watch) {
    return [&watch](const InstanceKey& key, const Error& error) {
        watch.note_refused(key.workspace_id, key.id.value, error);
    };
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

Node::Node(Database& database, const Clock& clock, Random& random, observe::Metrics& metrics,
           const observe::Tracer& tracer, observe::Log& log, Options options)
    : database_(database),
      clock_(clock),
      random_(random),
      metrics_(metrics),
      log_(log),
      unreadable_(log, clock, "A stored row cannot be read."),
      listener_(metrics, watch_, tracer),
      commands_([this] { wake_one(committer_threads_); }, &clock),
      queries_([this] { wake_one(reader_threads_); }),
      claimer_(database.job_claimer()),
      broker_(*claimer_, commands_, listener_, clock,
              {.is_shared = database.is_shared(), .pace = options.pace},
              [this] { broker_thread_.wake(); }),
      timer_reader_(database.reader()),
      lease_reader_(database.reader()),
      idempotency_reader_(database.reader()),
      timer_watch_("timers", metrics, log),
      lease_watch_("leases", metrics, log),
      timer_firer_(
          shared_out(timer_source(*timer_reader_, commands_, refused_note(timer_watch_)), database,
                     random),
          clock, sleep_max(database), [this] { timer_thread_.wake(); },
          timer_watch_.notes<TimerKey>()),
      lease_reaper_(
          shared_out(lease_source(
                         *lease_reader_, commands_, [&metrics] { metrics.job_timeouts.add(); },
                         refused_note(lease_watch_)),
                     database, random),
          clock, sleep_max(database), [this] { lease_thread_.wake(); },
          lease_watch_.notes<JobKey>()),
      idempotency_forgetter_(*idempotency_reader_, commands_, clock,
                             [this] { duty_thread_.wake(); }),
      housekeeping_(database, std::move(options.retention), commands_, clock, metrics, log,
                    [this] { duty_thread_.wake(); }),
      link_(link_of(std::move(options.self))),
      duties_(right_of(link_.get())),
      statistics_sampler_(database, metrics),
      queue_(database, commands_, clock, metrics, tracer, log, std::move(options.queue),
             [this](std::string loop) -> LoopHealth& { return new_health(std::move(loop)); }),
      broker_thread_("dispatch",
                     [this, &health = new_health("dispatch")] { return dispatch(health); }),
      timer_thread_("timers",
                    [this, &health = new_health("timers")] {
                        return run_duty([this] { return timer_firer_.run_once(); }, health);
                    }),
      lease_thread_("leases",
                    [this, &health = new_health("leases")] {
                        return run_duty([this] { return lease_reaper_.run_once(); }, health);
                    }),
      duty_thread_("duties", [this, &health = new_health("duties")] { return do_duties(health); }),
      statistics_thread_("statistics", [this]() -> Next {
          statistics_sampler_.run_once();
          return {.after = kStatisticsInterval};
      }) {
    listener_.set_due_notes({
        .timer_at = [this](Instant at) { timer_firer_.note(at); },
        .lease_expires_at = [this](Instant at) { lease_reaper_.note(at); },
    });
    listener_.set_commit_note([this](const Writes& writes) {
        if (link_) link_->collector().on_commit(writes);
        queue_.on_commit(writes);
    });
    listener_.set_unreadable_note([this](std::string_view reason) { unreadable_.note(reason); });
    add_committers(options.command_work_max);
    add_readers();
    add_duties();
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
    duty_thread_.start();
    queue_.start();
    if (link_) link_->start();
    if (statistics_sampler_.is_needed()) statistics_thread_.start();
}

void Node::measure() {
    metrics_.commands_waiting.set(static_cast<std::int64_t>(commands_.waiting()));
    metrics_.polls_parked.set(static_cast<std::int64_t>(broker_.waiting()));
    timer_watch_.measure(clock_.now());
    lease_watch_.measure(clock_.now());
    if (link_) link_->measure();
    show_connections(database_, metrics_);
}

// Duties first: they make commands. Committers then: they answer them. The others hear last of what
// was committed and that this one is gone.
void Node::stop(Instant give_up_at) {
    broker_.drain();
    queue_.stop();
    timer_thread_.stop();
    lease_thread_.stop();
    duty_thread_.stop();
    statistics_thread_.stop();
    broker_thread_.finish();
    commands_.close(give_up_at);
    for (const auto& thread : committer_threads_) thread->finish();
    for (const auto& thread : reader_threads_) thread->finish();
    if (link_) link_->stop();
}

void Node::add_committers(std::int64_t command_work_max) {
    for (int i = 0; i < database_.committer_count(); ++i) {
        batch_stores_.push_back(database_.batch_store());
        committers_.push_back(std::make_unique<Committer>(*batch_stores_.back(), commands_, broker_,
                                                          listener_, clock_, command_work_max));
        auto run_once = [this, committer = committers_.back().get(),
                         &health = new_health("committer", kCommitterPauses)]() -> Next {
            switch (committer->run_once()) {
                case Committer::Round::idle: return until(commands_.next_at());
                case Committer::Round::progressed: health.succeeded(); return {.at_once = true};
                case Committer::Round::unhealthy: return health.failed();
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

void Node::add_duties() {
    duties_.add("idempotency", [this] { return idempotency_forgetter_.run_once(); });
    housekeeping_.add_to(duties_);
}

std::unique_ptr<ReplicaLink> Node::link_of(Replica self) {
    if (!database_.is_shared()) return nullptr;
    ReplicaLink::Hearers hearers{
        .hint = [this](const Hint& hint) { hear(hint); },
        .is_hinted = [this](bool is_hinted) { broker_.set_hinted(is_hinted); },
        .lease_changed = [this] { duty_thread_.wake(); },
    };
    return std::make_unique<ReplicaLink>(database_, std::move(self), clock_, random_, metrics_,
                                         log_, std::move(hearers));
}

void Node::hear(const Hint& hint) {
    broker_.hear(hint.waiting);
    if (hint.is_incomplete) broker_.hear_of_anything();
    queue_.hear(hint.queues);
    if (hint.is_incomplete) queue_.hear_of_anything();
    listener_.on_keys_changed(hint.api_keys);
    for (const InstanceKey& key : hint.instances) watch_.on_change(key);
}

LoopHealth& Node::new_health(std::string loop, runtime::Backoff::Limits limits) {
    return healths_.emplace_back(std::move(loop), log_, unhealthy_loops_, random_, limits);
}

Node::Next Node::dispatch(LoopHealth& health) {
    const JobBroker::Round round = broker_.run_once();
    if (round.unhealthy) return health.failed();
    health.succeeded();
    return round.progressed ? Next{.at_once = true} : until(round.next_at);
}

Node::Next Node::run_duty(const std::function<DutyRound()>& run_once, LoopHealth& health) {
    const DutyRound round = run_once();
    if (round.unhealthy) return health.failed();
    health.succeeded();
    return until(round.next_at);
}

Node::Next Node::do_duties(LoopHealth& health) {
    const DutyRound round = duties_.run_once();
    if (round.unhealthy) return health.failed(duties_.failed());
    health.succeeded();
    return until(round.next_at);
}

Node::Next Node::until(std::optional<Instant> at) const {
    if (!at) return {};
    // What is kept back for good ends in the year 9999: no clock sleeps that long.
    return {.after = std::clamp(*at - clock_.now(), Duration::zero(), kSleepMax)};
}

}  // namespace millrace
