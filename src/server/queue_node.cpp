#include "server/queue_node.hpp"

#include <algorithm>
#include <chrono>

#include "queue/make_ready.hpp"
#include "server/sleep_max.hpp"

namespace millrace {

namespace {

using namespace std::chrono_literals;

constexpr Duration kGaugeInterval = 15s;  // As often as most look at metrics.
constexpr std::int32_t kGaugedMax = 1'000;

// Of a duty that only tells whether it is done.
std::function<void(bool)> ending(std::function<void(const Status&)> done) {
    return [done = std::move(done)](bool is_done) {
        done(is_done ? ok() : Status(Error{ErrorCode::unavailable, "It could not be done now."}));
    };
}

DueLoop<ExecutionKey>::Source ready_source(Reader& reader, CommandQueue& commands,
                                           QueueListener& listener) {
    return {
        .due = [&reader](Instant now,
                         std::int32_t count_max) { return reader.due_executions(now, count_max); },
        .next =
            [&reader](Instant after) { return first_after(reader.next_due_execution(), after); },
        .submit =
            [&commands, &listener](const ExecutionKey& key,
                                   std::function<void(const Status&)> done) {
                const auto end = [&listener,
                                  done = std::move(done)](const Result<MadeReady>& made) {
                    if (made && made->expired) listener.on_expired(*made->expired);
                    const bool is_over = made || made.error().code == ErrorCode::not_found;
                    done(is_over ? ok() : Status(made.error()));
                };
                commands.submit_duty(MakeReady{key}, end);
            },
    };
}

DueLoop<ExecutionKey>::Source attention_source(Reader& reader, RemoteRuns& remote,
                                               Unattended which) {
    return {
        .due =
            [&reader, which](Instant now, std::int32_t count_max) {
                return reader.unattended_executions(which, now, count_max);
            },
        .next =
            [&reader, which](Instant after) {
                return first_after(reader.next_unattended_execution(which), after);
            },
        .submit =
            [&remote](const ExecutionKey& key, std::function<void(const Status&)> done) {
                remote.attend(key, ending(std::move(done)));
            },
    };
}

RemoteRuns::Executors views_of(
    const std::map<std::string, std::unique_ptr<RemoteExecutor>>& executors) {
    RemoteRuns::Executors views;
    for (const auto& [target, executor] : executors) views.emplace(target, executor.get());
    return views;
}

QueueNode::Options with_tracer(QueueNode::Options options, const observe::Tracer& tracer) {
    options.dispatcher.tracer = &tracer;
    if (options.single) options.single->batch.tracer = &tracer;
    options.remote.tracer = &tracer;
    return options;
}

// In single mode claims are taken over under a lock.
Unattended attended(const QueueNode::Options& options) {
    return options.single ? Unattended::runs : Unattended::claims_and_runs;
}

}  // namespace

QueueNode::QueueNode(Database& database, CommandQueue& commands, const Clock& clock,
                     observe::Metrics& metrics, const observe::Tracer& tracer, observe::Log& log,
                     Options options, const NewHealth& new_health)
    : commands_(commands),
      clock_(clock),
      metrics_(metrics),
      options_(with_tracer(std::move(options), tracer)),
      listener_(metrics, log, clock, options_.dispatcher.lease),
      ready_reader_(database.reader()),
      gauge_reader_(database.reader()),
      attention_reader_(database.reader()),
      remote_reader_(database.reader()),
      remote_([this](ExecutionId id) { return remote_reader_->execution(id); }, commands,
              views_of(options_.executors), listener_, clock, options_.remote,
              [this] { remote_thread_.wake(); }),
      dispatcher_(commands, listener_, clock, options_.dispatcher,
                  {.begin = [this](auto claimed) { remote_.begin(std::move(claimed)); },
                   .closed_targets =
                       [this] {
                           return remote_.closed_targets();
                       }},
                  [this] { dispatcher_thread_.wake(); }),
      ready_watch_("delays", metrics, log),
      ready_loop_(
          ready_source(*ready_reader_, commands, listener_), clock, sleep_max(database),
          [this] { ready_thread_.wake(); }, ready_watch_.notes<ExecutionKey>()),
      attention_loop_(attention_source(*attention_reader_, remote_, attended(options_)), clock,
                      sleep_max(database), [this] { attention_thread_.wake(); }),
      single_(single_mode(database, new_health)),
      dispatcher_thread_("dispatcher", [this] { return dispatch(); }),
      ready_thread_(
          "delays",
          [this, &health = new_health("delays")] { return work_off(ready_loop_, health); }),
      attention_thread_(
          "looks",
          [this, &health = new_health("looks")] { return work_off(attention_loop_, health); }),
      remote_thread_("remote runs",
                     [this, &health = new_health("remote runs")] { return run_remote(health); }),
      gauge_thread_("queue gauges", [this]() -> Next {
          measure();
          return {.after = kGaugeInterval};
      }) {}

std::unique_ptr<SingleMode> QueueNode::single_mode(Database& database,
                                                   const NewHealth& new_health) {
    if (!options_.single) return nullptr;
    return std::make_unique<SingleMode>(database, commands_, listener_, clock_, remote_,
                                        *options_.single, new_health);
}

void QueueNode::on_commit(const Writes& writes) {
    listener_.on_commit(writes);
    for (const NewExecution& row : writes.executions_new) note_due(row.execution);
    for (const Execution& row : writes.executions_changed) note_due(row);
    if (!single_) dispatcher_.on_commit(writes);
}

void QueueNode::note_due(const Execution& execution) {
    if (is_active(execution.queue_status) && execution.due_at) {
        attention_loop_.note(*execution.due_at);
    }
    if (execution.queue_status != QueueStatus::pending) return;
    if (execution.place == QueuePlace::due && execution.due_at) {
        ready_loop_.note(*execution.due_at);
    }
    if (execution.deadline) ready_loop_.note(*execution.deadline);
}

void QueueNode::hear(const std::vector<WorkspaceId>& workspaces) {
    if (!single_ && !workspaces.empty()) dispatcher_.hear(workspaces);
}

void QueueNode::hear_of_anything() {
    if (!single_) dispatcher_.hear_of_anything();
}

void QueueNode::start() {
    gauge_thread_.start();
    if (!options_.is_enabled) return;
    single_ ? single_->start() : dispatcher_thread_.start();
    ready_thread_.start();
    attention_thread_.start();
    remote_thread_.start();
}

void QueueNode::stop() {
    if (single_) single_->stop();
    dispatcher_.stop();
    dispatcher_thread_.stop();
    ready_thread_.stop();
    attention_thread_.stop();
    gauge_thread_.stop();
    remote_.stop();
    remote_thread_.finish();
    if (single_) single_->give_up_locks();
    for (const auto& [target, executor] : options_.executors) executor->stop();
}

ProcessFacts QueueNode::facts() const {
    return {.is_engine_enabled = options_.is_enabled, .targets = remote_.target_facts()};
}

QueueNode::Next QueueNode::dispatch() {
    return until(dispatcher_.run_once().next_at);
}

QueueNode::Next QueueNode::work_off(ReadyLoop& loop, LoopHealth& health) {
    const DutyRound round = loop.run_once();
    if (round.unhealthy) return health.failed();
    health.succeeded();
    return until(round.next_at);
}

QueueNode::Next QueueNode::run_remote(LoopHealth& health) {
    const RemoteRuns::Round round = remote_.run_once();
    if (round.unhealthy) return health.failed();
    health.succeeded();
    return until(round.next_at);
}

QueueNode::Next QueueNode::until(std::optional<Instant> at) const {
    if (!at) return {};
    return {.after = std::clamp(*at - clock_.now(), Duration::zero(), kSleepMax)};
}

// What cannot be read now stays as it was: the loops that need the store tell of its troubles.
void QueueNode::measure() {
    ready_watch_.measure(clock_.now());
    const Result<std::vector<QueueOverview>> queues = gauge_reader_->busy_queues({}, kGaugedMax);
    if (!queues) return;
    QueueCounts sum;
    std::int64_t limit = 0;
    std::optional<Instant> oldest;
    for (const QueueOverview& queue : *queues) {
        sum.ready += queue.counts.ready;
        sum.parked += queue.counts.parked;
        sum.due += queue.counts.due;
        sum.claimed += queue.counts.claimed;
        sum.dispatched += queue.counts.dispatched;
        const WorkspaceLimits limits = limits_of(queue.workspace, options_.dispatcher.plans);
        limit += limits.max_active.value_or(0);
        if (queue.counts.oldest_waiting) {
            oldest = std::min(oldest.value_or(Instant::max()), *queue.counts.oldest_waiting);
        }
    }
    const auto show = [this](QueuePlace place, std::int64_t count) {
        metrics_.queue_depth(to_string(place)).set(count);
    };
    show(QueuePlace::ready, sum.ready);
    show(QueuePlace::parked, sum.parked);
    show(QueuePlace::due, sum.due);
    show(QueuePlace::active, sum.claimed + sum.dispatched);
    metrics_.queue_slots_used.set(sum.claimed + sum.dispatched);
    metrics_.queue_slots_limit.set(limit);
    metrics_.queue_oldest_age.set_seconds(oldest ? clock_.now() - *oldest : Duration::zero());
    const Result<std::int64_t> dead = gauge_reader_->dead_letters({});
    if (dead) metrics_.queue_dead_letters.set(*dead);
}

}  // namespace millrace
