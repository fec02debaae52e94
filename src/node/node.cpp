#include "node/node.hpp"

#include <chrono>

#include "node/sleep_max.hpp"

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
Source shared_out(Source source, const NodeContext& context) {
    if (!context.database.is_shared()) return source;
    source.preference = [seed = context.random.next()](const auto& key) {
        return (key.id.value.high ^ key.id.value.low ^ seed) * 0x9E3779B97F4A7C15u;
    };
    return source;
}

RefusedNote refused_note(DutyWatch& watch) {
    return [&watch](const InstanceKey& key, const Error& error) {
        watch.note_refused(key.workspace_id, key.id.value, error);
    };
}

}  // namespace

Node::Node(const NodeContext& context, Options options)
    : context_(context),
      unreadable_(context.log, context.clock, "A stored row cannot be read."),
      listener_(context.metrics, watch_, context.tracer, notes()),
      commit_listeners_(listener_, options.commit_listeners),
      dispatch_listeners_(listener_, options.dispatch_listeners),
      loops_(context.clock, context.random, context.log),
      broker_loop_(loops_.add("dispatch", [this] { return broker_.run_once(); })),
      timer_loop_(loops_.add("timers", [this] { return timer_firer_.run_once(); })),
      lease_loop_(loops_.add("leases", [this] { return lease_reaper_.run_once(); })),
      duty_loop_(loops_.add("duties", [this] { return duties_.run_once(); },
                            {.failed_part =
                                 [this] {
                                     return std::string_view(duties_.failed());
                                 }})),
      commands_([this] { wake_one(committer_loops_); }, &context.clock),
      queries_([this] { wake_one(reader_loops_); }, &context.clock),
      claimer_(context.database.job_claimer()),
      broker_(*claimer_, commands_, dispatch_listeners_, context.clock,
              {.is_shared = context.database.is_shared(), .pace = options.pace},
              [this] { broker_loop_.wake(); }),
      timer_reader_(context.database.reader()),
      lease_reader_(context.database.reader()),
      idempotency_reader_(context.database.reader()),
      timer_watch_("timers", context.metrics, context.log),
      lease_watch_("leases", context.metrics, context.log),
      timer_firer_(
          shared_out(timer_source(*timer_reader_, commands_, refused_note(timer_watch_)), context),
          context.clock, sleep_max(context.database), [this] { timer_loop_.wake(); },
          timer_watch_.notes<TimerKey>()),
      lease_reaper_(
          shared_out(lease_source(
                         *lease_reader_, commands_, [this] { context_.metrics.job_timeouts.add(); },
                         refused_note(lease_watch_)),
                     context),
          context.clock, sleep_max(context.database), [this] { lease_loop_.wake(); },
          lease_watch_.notes<JobKey>()),
      idempotency_forgetter_(*idempotency_reader_, commands_, context.clock,
                             [this] { duty_loop_.wake(); }),
      housekeeping_(context, std::move(options.retention), commands_,
                    [this] { duty_loop_.wake(); }),
      link_(link_of(std::move(options.self))),
      duties_(right_of(link_.get())),
      statistics_sampler_(context.database, context.metrics),
      statistics_loop_(loops_.add_beat(
          "statistics", kStatisticsInterval, [this] { statistics_sampler_.run_once(); },
          statistics_sampler_.is_needed())),
      queue_(context, commands_, loops_, std::move(options.queue)) {
    add_committers(options.command_work_max);
    add_readers();
    add_duties();
}

void Node::start(runtime::LoopRunner& runner) {
    for (runtime::Loop* loop : loops_.all()) runner.start(*loop);
}

void Node::measure() {
    const Instant now = context_.clock.now();
    context_.metrics.commands_waiting.set(static_cast<std::int64_t>(commands_.waiting()));
    context_.metrics.polls_parked.set(static_cast<std::int64_t>(broker_.waiting()));
    timer_watch_.measure(now);
    lease_watch_.measure(now);
    if (link_) link_->measure();
    show_connections(context_.database, context_.metrics);
}

// Duties first: they make commands. Committers then: they answer them. The others hear last of what
// was committed and that this one is gone.
void Node::stop(runtime::LoopRunner& runner, Instant give_up_at) {
    broker_.drain();
    queue_.stop(runner, give_up_at);
    for (runtime::Loop* loop : {&timer_loop_, &lease_loop_, &duty_loop_, &statistics_loop_}) {
        runner.stop(*loop);
    }
    runner.finish(broker_loop_);
    commands_.close(give_up_at);
    queries_.close(give_up_at);
    for (runtime::Loop* loop : committer_loops_) runner.finish(*loop);
    for (runtime::Loop* loop : reader_loops_) runner.finish(*loop);
    if (link_) link_->stop(runner);
}

void Node::add_committers(std::int64_t command_work_max) {
    for (int i = 0; i < context_.database.committer_count(); ++i) {
        batch_stores_.push_back(context_.database.batch_store());
        committers_.push_back(std::make_unique<Committer>(*batch_stores_.back(), commands_, broker_,
                                                          commit_listeners_, context_.clock,
                                                          command_work_max));
        committer_loops_.push_back(&loops_.add(
            "committer", [committer = committers_.back().get()] { return committer->run_once(); },
            {.pauses = kCommitterPauses, .is_store_asked_by_progress = true}));
    }
}

// A question that fails is answered so; its reader has no health of its own.
void Node::add_readers() {
    for (int i = 0; i < kReaderCount; ++i) {
        readers_.push_back(context_.database.reader());
        reader_loops_.push_back(
            &loops_.add("reader", [this, reader = readers_.back().get()]() -> Round {
                return {.progressed = queries_.run_once(*reader)};
            }));
    }
}

void Node::add_duties() {
    duties_.add("idempotency", [this] { return idempotency_forgetter_.run_once(); });
    housekeeping_.add_to(duties_);
}

NodeListener::Notes Node::notes() {
    return {
        .timer_at = [this](Instant at) { timer_firer_.note(at); },
        .lease_expires_at = [this](Instant at) { lease_reaper_.note(at); },
        .committed =
            [this](const Writes& writes) {
                if (link_) link_->collector().on_commit(writes);
                queue_.on_commit(writes);
            },
        .unreadable = [this](std::string_view reason) { unreadable_.note(reason); },
    };
}

std::unique_ptr<ReplicaLink> Node::link_of(Replica self) {
    if (!context_.database.is_shared()) return nullptr;
    ReplicaLink::Hearers hearers{
        .hint = [this](const Hint& hint) { hear(hint); },
        .is_hinted = [this](bool is_hinted) { broker_.set_hinted(is_hinted); },
        .lease_changed = [this] { duty_loop_.wake(); },
    };
    return std::make_unique<ReplicaLink>(context_, loops_, std::move(self), std::move(hearers));
}

void Node::hear(const Hint& hint) {
    broker_.hear(hint.waiting);
    if (hint.is_incomplete) broker_.hear_of_anything();
    queue_.hear(hint.queues);
    if (hint.is_incomplete) queue_.hear_of_anything();
    listener_.on_keys_changed(hint.api_keys);
    for (const InstanceKey& key : hint.instances) watch_.on_change(key);
}

}  // namespace millrace
