#include "simulation/queue_story.hpp"

#include <algorithm>
#include <utility>

#include "engine/audited.hpp"
#include "engine/complete_job.hpp"
#include "engine/fail_job.hpp"
#include "engine/get_history.hpp"
#include "engine/idempotent.hpp"
#include "queue/find_execution.hpp"

namespace millrace {

namespace {

constexpr const char* kHereId = "here";
constexpr const char* kElsewhereId = "elsewhere";
// Nobody's budget of tries is to run out: leases are lost on the way.
constexpr std::string_view kHere = R"({"id": "here", "name": "Here", "steps": [
    {"id": "charge", "name": "C", "type": "SERVICE_TASK", "jobType": "charge", "retryCount": 100,
     "nextStep": "done"},
    {"id": "done", "name": "D", "type": "END"}]})";
constexpr std::string_view kElsewhere = R"({"id": "elsewhere", "name": "Elsewhere", "executor":
    {"kind": "temporal", "target": "main", "namespace": "n", "taskQueue": "q",
     "workflowType": "w"}})";

constexpr Duration kRunDuration = 3s;
constexpr Duration kJobLease = 10s;

struct Stage {
    const char* workspace;
    std::int32_t active_max;
};
constexpr Stage kStages[] = {{"free", 1}, {"pro", 2}, {"other", 1}};
constexpr const char* kKey = "k";

std::vector<Part> parts(const std::string& definition_id) {
    std::vector<Part> all{
        {.workspace = "free"},
        {.workspace = "free"},
        {.workspace = "pro", .concurrency_key = kKey},
        {.workspace = "pro", .concurrency_key = kKey},
        {.workspace = "pro", .ends = QueueStatus::failed},
        {.workspace = "pro", .not_before = 20s},
        {.workspace = "pro", .ends = QueueStatus::cancelled, .cancelled_after = 8s},
        {.workspace = "other"},
        {.workspace = "other", .ends = QueueStatus::cancelled, .cancelled_after = 2s},
    };
    for (Part& part : all) part.definition_id = definition_id;
    return all;
}

}  // namespace

std::vector<Part> native_parts() {
    return parts(kHereId);
}

std::vector<Part> remote_parts() {
    return parts(kElsewhereId);
}

QueueStory::QueueStory(Database& database, FakeClock& clock, int number, std::vector<Part> parts)
    : clock_(clock),
      number_(number),
      parts_(std::move(parts)),
      began_at_(clock.now()),
      users_(database, clock, {}, {.owner = "nobody"}) {
    set_up();
    make_wishes();
}

void QueueStory::make_cluster_slow() {
    is_cluster_slow_ = true;
    cluster_.is_holding = true;
}

void QueueStory::set_up() {
    for (const Stage& stage : kStages) {
        const WorkspaceId id = workspace_of(stage.workspace);
        const auto made = users_.run(CreateWorkspace{
            .id = id,
            .settings = {.plan = "FREE", .max_active = stage.active_max, .max_per_key = 1},
            .plans = default_plans(),
        });
        ASSERT_TRUE(made) << made.error().detail;
        users_.upload(kHere, id);
        users_.upload(kElsewhere, id);
    }
}

void QueueStory::make_wishes() {
    for (std::size_t number = 0; number < parts_.size(); ++number) {
        const Part& part = parts_[number];
        const ExecutionKey key = key_of(number);
        wishes_.push_back(std::make_shared<Wish>(enqueueing(part, key)));
        if (!part.cancelled_after) continue;
        wishes_.push_back(std::make_shared<Wish>(Wish{
            .at = began_at_ + *part.cancelled_after,
            .ask =
                [key](CommandQueue& commands, const std::function<void(bool)>& done) {
                    commands.submit(CancelExecution{.key = key},
                                    [done](const Result<CancelledExecution>& cancelled) {
                                        done(static_cast<bool>(cancelled));
                                    });
                },
        }));
    }
}

QueueStory::Wish QueueStory::enqueueing(const Part& part, const ExecutionKey& key) const {
    EnqueueExecution request{
        .key = key,
        .definition_id = part.definition_id,
        .input = Variables::from_text("{}"),
        .concurrency_key = part.concurrency_key,
    };
    if (part.not_before > Duration::zero()) request.not_before = began_at_ + part.not_before;
    const Idempotent<Audited<EnqueueExecution>> once{
        .request = {.request = std::move(request)},
        .key = IdempotencyKey{key.workspace_id, std::string(EnqueueExecution::kName),
                              to_string(key.id.value)},
    };
    return {
        .at = began_at_,
        .ask =
            [once](CommandQueue& commands, const std::function<void(bool)>& done) {
                commands.submit(once, [done](const Result<Once<Execution>>& enqueued) {
                    done(static_cast<bool>(enqueued));
                });
            },
    };
}

ExecutionKey QueueStory::key_of(std::size_t part) const {
    return {ExecutionId{Id128::for_instance(began_at_, part + 1)},
            workspace_of(parts_[part].workspace)};
}

WorkspaceId QueueStory::workspace_of(const std::string& name) const {
    return {name + "-" + std::to_string(number_)};
}

const Part& QueueStory::part_of(const JobKey& job) const {
    std::size_t part = 0;
    while (key_of(part).id.value != instance_of(job.id).value) ++part;
    return parts_.at(part);
}

void QueueStory::pass_second(RemoteNode& process, const std::function<bool()>& goes_on) {
    clock_.advance(1s);
    cluster_.pass_time();
    cluster_.release();
    cluster_.is_holding = is_cluster_slow_;
    end_runs();
    act(process);
    int batches = process.batches();
    process.settle([&] {
        // Nothing else changes what is stored.
        if (std::exchange(batches, process.batches()) != process.batches()) check_limits();
        return !testing::Test::HasFailure() && goes_on();
    });
}

// What a process that dies has not answered is asked of the next one.
void QueueStory::act(RemoteNode& process) {
    for (const auto& wish : wishes_) {
        if (wish->is_granted || clock_.now() < wish->at) continue;
        wish->ask(process.commands(), [wish](bool is_granted) { wish->is_granted = is_granted; });
    }
    std::erase_if(*held_, [&](const HeldJob& held) {
        return held.is_reported || held.delivered.job.lease->lock_expires_at <= clock_.now();
    });
    for (HeldJob& held : *held_) {
        if (held.report_at <= clock_.now()) report(process, held);
    }
    const auto is_here = [](const Part& part) {
        return part.definition_id == kHereId;
    };
    if (std::ranges::any_of(parts_, is_here)) poll(process);
}

void QueueStory::end_runs() {
    for (std::size_t number = 0; number < parts_.size(); ++number) {
        const ExecutionKey key = key_of(number);
        const Part& part = parts_[number];
        if (part.cancelled_after || !cluster_.has_run(key)) continue;
        const Instant since = seen_running_.try_emplace(key, clock_.now()).first->second;
        const bool is_running = cluster_.run_of(key).state == RunState::running;
        if (!is_running || clock_.now() < since + kRunDuration) continue;
        const bool is_good = part.ends == QueueStatus::completed;
        cluster_.end_run(key, is_good ? RunState::completed : RunState::failed,
                         is_good ? std::to_string(number) : "broken");
    }
}

void QueueStory::poll(RemoteNode& process) {
    for (const Stage& stage : kStages) {
        process.broker().poll({.workspace_id = workspace_of(stage.workspace),
                               .worker_id = kWorker,
                               .job_types = {{"charge"}},
                               .jobs_max = 10,
                               .lease_duration = kJobLease},
                              [held = held_, report_at = clock_.now() + kRunDuration](
                                  Result<std::vector<DeliveredJob>> jobs) {
                                  if (!jobs) return;
                                  for (DeliveredJob& job : *jobs)
                                      held->push_back({std::move(job), report_at});
                              });
    }
}

// An answer may come when the job is not held any more; by its token it finds its job.
void QueueStory::report(RemoteNode& process, HeldJob& held) {
    const Job& job = held.delivered.job;
    const Part& part = part_of(job.key);
    if (part.cancelled_after) return;
    const auto end = [jobs = held_, key = job.key, token = job.lease_token](bool is_reported) {
        for (HeldJob& each : *jobs) {
            const Job& known = each.delivered.job;
            if (known.key == key && known.lease_token == token) each.is_reported = is_reported;
        }
    };
    const LeaseProof proof{job.lease->worker_id, job.lease_token};
    if (part.ends == QueueStatus::completed) {
        process.commands().submit(CompleteJob{.job = job.key, .proof = proof},
                                  [end](const Result<Job>& done) { end(static_cast<bool>(done)); });
    } else {
        process.commands().submit(
            FailJob{.job = job.key, .proof = proof, .retryable = false, .message = "broken"},
            [end](const Result<FailedJob>& done) { end(static_cast<bool>(done)); });
    }
}

bool QueueStory::is_over() {
    if (!std::ranges::all_of(wishes_, [](const auto& wish) { return wish->is_granted; })) {
        return false;
    }
    return std::ranges::all_of(kStages, [&](const Stage& stage) {
        const auto queue = users_.reader().queue(workspace_of(stage.workspace));
        EXPECT_TRUE(queue && *queue);
        const QueueCounts& open = (*queue)->counts;
        return open.ready + open.parked + open.due + open.claimed + open.dispatched == 0;
    });
}

void QueueStory::check_limits() {
    for (const Stage& stage : kStages) {
        const WorkspaceId id = workspace_of(stage.workspace);
        const auto holders = users_.reader().slot_holders(id, "", 100);
        ASSERT_TRUE(holders);
        EXPECT_LE(std::ssize(*holders), stage.active_max) << stage.workspace;
        EXPECT_LE(std::ranges::count(*holders, kKey, &Execution::concurrency_key), 1);
    }
}

void QueueStory::check() {
    EXPECT_TRUE(is_over()) << "something is open still";
    for (std::size_t number = 0; number < parts_.size(); ++number) check_part(number);
    for (const Stage& stage : kStages) {
        const WorkspaceId id = workspace_of(stage.workspace);
        const auto instances = users_.reader().instances({.workspace_id = id}, {.size = 100});
        ASSERT_TRUE(instances);
        for (const Instance& instance : instances->items) {
            const auto owner = users_.reader().execution(execution_of(instance.key.id));
            EXPECT_TRUE(owner && *owner) << "an instance that nobody has asked for";
        }
        EXPECT_TRUE(users_.reader().slot_holders(id, "", 100)->empty());
        EXPECT_EQ(users_.reader().jobs({.workspace_id = id}, {})->total, 0);
    }
    EXPECT_EQ(cluster_.runs_begun, std::ssize(cluster_.runs));
}

void QueueStory::expect_over(ExecutorKind executor) {
    for (std::size_t number = 0; number < parts_.size(); ++number) {
        const Execution execution = users_.execution(key_of(number));
        if (execution.executor != executor) continue;
        EXPECT_FALSE(is_open(execution.queue_status)) << "part " << number;
    }
}

void QueueStory::expect_no_attempt() {
    for (std::size_t number = 0; number < parts_.size(); ++number) {
        EXPECT_EQ(users_.execution(key_of(number)).attempt_count, 0) << "part " << number;
    }
}

void QueueStory::check_part(std::size_t number) {
    const Part& part = parts_[number];
    const ExecutionKey key = key_of(number);
    SCOPED_TRACE("part " + std::to_string(number));
    const StoredExecution stored = users_.stored(key);
    const Execution& execution = stored.execution;
    EXPECT_EQ(to_string(execution.queue_status), to_string(part.ends)) << execution.error_message;
    EXPECT_LE(execution.attempt_count, 1);
    if (execution.dispatched_at) {
        EXPECT_GE(*execution.dispatched_at, began_at_ + part.not_before) << "too early";
    }
    if (part.ends == QueueStatus::failed) {
        EXPECT_EQ(execution.error_reason, failure::kWorkflowFailed);
    }
    if (execution.executor == ExecutorKind::native) return check_run_here(part, key);
    check_run_elsewhere(part, key);
    if (part.ends == QueueStatus::completed) {
        EXPECT_EQ(stored.result, std::to_string(number));
    }
}

// One that is cancelled may have been let in before, or not.
void QueueStory::check_run_here(const Part& part, const ExecutionKey& key) {
    if (part.cancelled_after) return;
    const bool is_good = part.ends == QueueStatus::completed;
    EXPECT_EQ(told(first_instance_of(key)),
              is_good ? "charge:COMPLETED done:COMPLETED" : "charge:FAILED");
}

void QueueStory::check_run_elsewhere(const Part& part, const ExecutionKey& key) {
    EXPECT_TRUE(part.cancelled_after || cluster_.has_run(key));
    if (!cluster_.has_run(key)) return;
    EXPECT_NE(cluster_.run_of(key).state, RunState::running) << "left behind";
}

std::string QueueStory::told(const InstanceKey& key) {
    const auto lines = read(GetHistory{key}, users_.reader());
    EXPECT_TRUE(lines) << "it has never begun";
    std::string text;
    for (const StepExecution& line : lines ? lines->lines : std::vector<StepExecution>{}) {
        text +=
            (text.empty() ? "" : " ") + line.step_id + ":" + std::string(to_string(line.status));
    }
    return text;
}

}  // namespace millrace
