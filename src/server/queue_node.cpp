#include "server/queue_node.hpp"

#include <algorithm>
#include <chrono>

#include "queue/make_ready.hpp"

namespace millrace {

namespace {

using namespace std::chrono_literals;

constexpr Duration kSharedSleepMax = 2s;  // How long what a replica knew that died may be overdue.
constexpr Duration kSleepMax = 1h;
constexpr Duration kGaugeInterval = 15s;  // As often as most look at metrics.
constexpr std::int32_t kGaugedMax = 1'000;

DueLoop<ExecutionKey>::Source ready_source(Reader& reader, CommandQueue& commands) {
    return {
        .due = [&reader](Instant now,
                         std::int32_t count_max) { return reader.due_executions(now, count_max); },
        .next = [&reader] { return reader.next_due_execution(); },
        .submit =
            [&commands](const ExecutionKey& key, std::function<void(bool)> done) {
                commands.submit(MakeReady{key},
                                [done = std::move(done)](const Result<MadeReady>& made) {
                                    done(bool(made) || made.error().code == ErrorCode::not_found);
                                });
            },
    };
}

std::optional<Duration> sleep_max(const Database& database) {
    return database.is_shared() ? std::optional(kSharedSleepMax) : std::nullopt;
}

}  // namespace

QueueNode::QueueNode(Database& database, CommandQueue& commands, const Clock& clock,
                     observe::Metrics& metrics, observe::Log& log, Options options,
                     const NewHealth& new_health)
    : commands_(commands),
      clock_(clock),
      metrics_(metrics),
      options_(std::move(options)),
      listener_(metrics, log, clock),
      ready_reader_(database.reader()),
      gauge_reader_(database.reader()),
      dispatcher_(commands, listener_, clock, options_.dispatcher, {},
                  [this] { dispatcher_thread_.wake(); }),
      ready_loop_(ready_source(*ready_reader_, commands), clock, sleep_max(database),
                  [this] { ready_thread_.wake(); }),
      dispatcher_thread_("dispatcher", [this] { return dispatch(); }),
      ready_thread_("delays",
                    [this, &health = new_health("delays")] { return make_ready(health); }),
      gauge_thread_("queue gauges", [this]() -> Next {
          measure();
          return {.after = kGaugeInterval};
      }) {}

void QueueNode::on_commit(const Writes& writes) {
    listener_.on_commit(writes);
    for (const NewExecution& row : writes.executions_new) note_due(row.execution);
    for (const Execution& row : writes.executions_changed) note_due(row);
    dispatcher_.on_commit(writes);
}

void QueueNode::note_due(const Execution& execution) {
    if (execution.queue_status != QueueStatus::pending) return;
    if (execution.place == QueuePlace::due && execution.due_at) {
        ready_loop_.note(*execution.due_at);
    }
    if (execution.deadline) ready_loop_.note(*execution.deadline);
}

void QueueNode::hear(const std::vector<WorkspaceId>& workspaces) {
    if (!workspaces.empty()) dispatcher_.hear(workspaces);
}

void QueueNode::hear_of_anything() {
    dispatcher_.hear_of_anything();
}

void QueueNode::start() {
    gauge_thread_.start();
    if (!options_.is_enabled) return;
    dispatcher_thread_.start();
    ready_thread_.start();
}

void QueueNode::stop() {
    dispatcher_.stop();
    dispatcher_thread_.stop();
    ready_thread_.stop();
    gauge_thread_.stop();
}

QueueNode::Next QueueNode::dispatch() {
    const std::optional<Instant> at = dispatcher_.run_once().next_at;
    if (!at) return {};
    return {.after = std::clamp(*at - clock_.now(), Duration::zero(), kSleepMax)};
}

QueueNode::Next QueueNode::make_ready(LoopHealth& health) {
    const DutyRound round = ready_loop_.run_once();
    if (round.unhealthy) return health.failed();
    health.succeeded();
    if (!round.next_at) return {};
    return {.after = std::clamp(*round.next_at - clock_.now(), Duration::zero(), kSleepMax)};
}

// What cannot be read now stays as it was: the loops that need the store tell of its troubles.
void QueueNode::measure() {
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
