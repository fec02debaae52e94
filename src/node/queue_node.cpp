#include "node/queue_node.hpp"

#include <algorithm>
#include <chrono>

#include "node/sleep_max.hpp"
#include "queue/make_ready.hpp"

namespace millrace {

namespace {

using namespace std::chrono_literals;

constexpr Duration kGaugeInterval = 15s;  // As often as most look at metrics.
constexpr std::int32_t kGaugedMax = 1'000;
constexpr Duration kStoppingPause = 20ms;  // Between looks at what is under way.

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

QueueNode::QueueNode(const NodeContext& context, CommandQueue& commands, LoopSet& loops,
                     Options options)
    : context_(context),
      commands_(commands),
      options_(with_tracer(std::move(options), context.tracer)),
      dispatcher_loop_(loops.add("dispatcher", [this] { return dispatcher_.run_once(); },
                                 {.is_needed = options_.is_enabled && !options_.single})),
      ready_loop_(loops.add("delays", [this] { return ready_.run_once(); },
                            {.is_needed = options_.is_enabled})),
      attention_loop_(loops.add("looks", [this] { return attention_.run_once(); },
                                {.is_needed = options_.is_enabled})),
      remote_loop_(loops.add("remote runs", [this] { return remote_round(); },
                             {.is_needed = options_.is_enabled})),
      gauge_loop_(loops.add_beat("queue gauges", kGaugeInterval, [this] { measure(); })),
      listener_(context.metrics, context.log, context.clock, options_.dispatcher.lease),
      dispatcher_listeners_(listener_, options_.dispatcher_listeners),
      run_listeners_(listener_, options_.run_listeners),
      ready_reader_(context.database.reader()),
      gauge_reader_(context.database.reader()),
      attention_reader_(context.database.reader()),
      remote_reader_(context.database.reader()),
      remote_([this](ExecutionId id) { return remote_reader_->execution(id); }, commands,
              views_of(options_.executors), run_listeners_, context.clock, options_.remote,
              [this] { remote_loop_.wake(); }),
      dispatcher_(commands, dispatcher_listeners_, context.clock, options_.dispatcher,
                  {.begin = [this](auto claimed) { remote_.begin(std::move(claimed)); },
                   .closed_targets =
                       [this] {
                           return remote_.closed_targets();
                       }},
                  [this] { dispatcher_loop_.wake(); }),
      ready_watch_("delays", context.metrics, context.log),
      ready_(
          ready_source(*ready_reader_, commands, listener_), context.clock,
          sleep_max(context.database), [this] { ready_loop_.wake(); },
          ready_watch_.notes<ExecutionKey>()),
      attention_(attention_source(*attention_reader_, remote_, attended(options_)), context.clock,
                 sleep_max(context.database), [this] { attention_loop_.wake(); }),
      single_(single_mode(loops)) {}

std::unique_ptr<SingleMode> QueueNode::single_mode(LoopSet& loops) {
    if (!options_.single || !options_.is_enabled) return nullptr;
    return std::make_unique<SingleMode>(context_, commands_, loops, listener_, remote_,
                                        *options_.single);
}

void QueueNode::on_commit(const Writes& writes) {
    listener_.on_commit(writes);
    for (const NewExecution& row : writes.executions_new) note_due(row.execution);
    for (const Execution& row : writes.executions_changed) note_due(row);
    if (!single_) dispatcher_.on_commit(writes);
}

void QueueNode::note_due(const Execution& execution) {
    if (is_active(execution.queue_status) && execution.due_at) {
        attention_.note(*execution.due_at);
    }
    if (execution.queue_status != QueueStatus::pending) return;
    if (execution.place == QueuePlace::due && execution.due_at) {
        ready_.note(*execution.due_at);
    }
    if (execution.deadline) ready_.note(*execution.deadline);
}

void QueueNode::hear(const std::vector<WorkspaceId>& workspaces) {
    if (!single_ && !workspaces.empty()) dispatcher_.hear(workspaces);
}

void QueueNode::hear_of_anything() {
    if (!single_) dispatcher_.hear_of_anything();
}

// While it stops, a round under way may still bring claims, which somebody has to let go of.
Round QueueNode::remote_round() {
    const bool is_more_to_come = single_ ? single_->is_busy() : dispatcher_.is_busy();
    Round round = remote_.run_once();
    const Instant now = context_.clock.now();
    if (!is_more_to_come || waits_until_.load() <= now) return round;
    round.next_at = std::min(round.next_at.value_or(Instant::max()), now + kStoppingPause);
    return round;
}

void QueueNode::stop(runtime::LoopRunner& runner, Instant give_up_at) {
    waits_until_ = give_up_at;
    if (single_) single_->stop(runner);
    dispatcher_.stop();
    for (runtime::Loop* loop : {&dispatcher_loop_, &ready_loop_, &attention_loop_, &gauge_loop_}) {
        runner.stop(*loop);
    }
    remote_.stop();
    runner.finish(remote_loop_);
    if (single_) single_->give_up_locks();
    for (const auto& [target, executor] : options_.executors) executor->stop();
}

ProcessFacts QueueNode::facts() const {
    return {.is_engine_enabled = options_.is_enabled, .targets = remote_.target_facts()};
}

// What cannot be read now stays as it was: the loops that need the store tell of its troubles.
void QueueNode::measure() {
    ready_watch_.measure(context_.clock.now());
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
        context_.metrics.queue_depth(to_string(place)).set(count);
    };
    show(QueuePlace::ready, sum.ready);
    show(QueuePlace::parked, sum.parked);
    show(QueuePlace::due, sum.due);
    show(QueuePlace::active, sum.claimed + sum.dispatched);
    context_.metrics.queue_slots_used.set(sum.claimed + sum.dispatched);
    context_.metrics.queue_slots_limit.set(limit);
    context_.metrics.queue_oldest_age.set_seconds(oldest ? context_.clock.now() - *oldest
                                                         : Duration::zero());
    const Result<std::int64_t> dead = gauge_reader_->dead_letters({});
    if (dead) context_.metrics.queue_dead_letters.set(*dead);
}

}  // namespace millrace
