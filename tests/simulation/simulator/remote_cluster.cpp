#include "simulator/remote_cluster.hpp"

#include <algorithm>
#include <chrono>

#include "core/queue/transitions.hpp"
#include "simulator/world.hpp"

namespace millrace::sim {

namespace {

using namespace std::chrono_literals;

constexpr const char* kTargets[] = {"main", "other"};
constexpr Duration kDelayMost = 15s;

// Reasons of an end that tell nothing about the run.
bool tells_nothing(const Execution& execution) {
    return execution.error_reason == failure::kStartUnknown ||
           execution.error_reason == failure::kRecoveriesExhausted;
}

bool fits(const Execution& execution, RunState state) {
    if (execution.queue_status == QueueStatus::completed) return state == RunState::completed;
    if (execution.queue_status == QueueStatus::cancelled) {
        return state == RunState::cancelled || state == RunState::terminated;
    }
    if (execution.error_reason == failure::kTimedOut) return state == RunState::timed_out;
    if (execution.error_reason == failure::kTerminated) return state == RunState::terminated;
    if (execution.error_reason == failure::kWorkflowFailed) return state == RunState::failed;
    return false;
}

}  // namespace

RemoteCluster::RemoteCluster(const Swarm& swarm, std::uint64_t seed)
    : swarm_(swarm), random_(seed_of(seed, "cluster")) {}

RemoteCluster::~RemoteCluster() = default;

void RemoteCluster::equip(Node::Options& options, int, World& world) {
    world_ = &world;
    if (swarm_.queue_weight == 0) return;
    for (const char* target : kTargets) {
        options.queue.executors[target] = std::make_unique<RemoteLink>(*this, target);
    }
}

Instant RemoteCluster::now() const {
    return world_->now();
}

void RemoteCluster::act(const Event& event, World&) {
    deliver();
    SimRandom random(event.seed);
    if (random.chance(15)) return change_weather(random);
    if (random.chance(70)) end_some_run(random);
}

// Each of its calls is answered, each run ends well or as it was asked to.
bool RemoteCluster::help(World&) {
    is_good_ = true;
    weather_.clear();
    const bool was_needed = !runs_.empty() && std::ranges::any_of(runs_, [](const auto& entry) {
        return entry.second.state == RunState::running;
    });
    for (auto& entry : runs_) {
        Run& run = entry.second;
        if (run.state != RunState::running) continue;
        end(run, run.is_cancel_wanted ? RunState::cancelled : RunState::completed);
    }
    for (Call& call : calls_) call.due_at = now();
    deliver();
    return was_needed;
}

// Answers may bring new calls.
void RemoteCluster::deliver() {
    const auto is_ready = [this](const Call& call) {
        return call.deadline <= now() || (call.due_at && *call.due_at <= now());
    };
    for (auto call = std::ranges::find_if(calls_, is_ready); call != calls_.end();
         call = std::ranges::find_if(calls_, is_ready)) {
        const Call ready = std::move(*call);
        calls_.erase(call);
        ready.deadline <= now() ? ready.time_out() : ready.answer();
    }
}

void RemoteCluster::forget(const RemoteLink& link) {
    std::erase_if(calls_, [&](const Call& call) { return call.link == &link; });
}

void RemoteCluster::send(Call call) {
    calls_.push_back(std::move(call));
}

bool RemoteCluster::is_lost() {
    return !is_good_ && random_.chance(6);
}

std::optional<Duration> RemoteCluster::draw_delay() {
    if (is_good_ || random_.chance(60)) return std::nullopt;
    return random_.between(1ms, kDelayMost);
}

RemoteCluster::Run* RemoteCluster::find(const std::string& target, const std::string& workflow_id) {
    const auto found = runs_.find({target, workflow_id});
    return found == runs_.end() ? nullptr : &found->second;
}

const RemoteCluster::Run* RemoteCluster::find(const Execution& execution) const {
    const auto found = runs_.find({execution.target, workflow_id(execution.key)});
    return found == runs_.end() ? nullptr : &found->second;
}

// The same id twice is the same run.
StartAnswer RemoteCluster::start_run(const std::string& target, const StartRun& request) {
    const RunKey key{target, workflow_id(request.execution)};
    const auto [run, is_new] = runs_.try_emplace(key);
    if (is_new) {
        run->second.execution = request.execution;
        run->second.run_id = "run" + std::to_string(++runs_begun_);
    }
    return {.outcome = StartOutcome::started, .run_id = run->second.run_id};
}

RunReport RemoteCluster::report(const std::string& target, const ExecutionKey& execution,
                                const RunRef& ref) {
    const Run* run = find(target, ref.workflow_id);
    if (run == nullptr || (!ref.run_id.empty() && ref.run_id != run->run_id)) return {};
    return {.is_found = true,
            .is_ours = run->execution == execution,
            .state = run->state,
            .run_id = run->run_id,
            .result = run->state == RunState::completed ? "{}" : "",
            .message = run->state == RunState::failed ? "simulated" : ""};
}

std::optional<RunReport> RemoteCluster::ended_run(const Execution& execution) const {
    const Run* run = find(execution);
    if (run == nullptr || run->state == RunState::running) return std::nullopt;
    return RunReport{.is_found = true, .state = run->state, .run_id = run->run_id};
}

void RemoteCluster::end(Run& run, RunState state) {
    run.state = state;
    run.closed_at = now();
    for (Call& call : calls_) {
        if (call.awaited == workflow_id(run.execution)) call.due_at = now();
    }
}

void RemoteCluster::end_some_run(SimRandom& random) {
    std::vector<Run*> running;
    for (auto& entry : runs_) {
        if (entry.second.state == RunState::running) running.push_back(&entry.second);
    }
    if (running.empty()) return;
    constexpr RunState kEnds[] = {RunState::completed, RunState::completed, RunState::completed,
                                  RunState::failed,    RunState::timed_out, RunState::terminated};
    Run& run = *random.pick(running);
    end(run, run.is_cancel_wanted && random.chance(50) ? RunState::cancelled
                                                       : kEnds[random.below(std::size(kEnds))]);
}

void RemoteCluster::change_weather(SimRandom& random) {
    Weather& weather = weather_[kTargets[random.below(std::size(kTargets))]];
    constexpr Weather kAll[] = {Weather::fine, Weather::fine, Weather::refusing, Weather::silent};
    weather = kAll[random.below(std::size(kAll))];
}

void RemoteCluster::on_applied(const Writes& writes, Instant, int) {
    for (const Execution& row : writes.executions_changed) check(row);
}

// A slot is not given back while a run may have it, and an end is that of its run.
void RemoteCluster::check(const Execution& execution) {
    if (execution.executor == ExecutorKind::native) return;
    // Given up with its run: from then on nobody knows anything of it.
    if (tells_nothing(execution)) given_up_.insert(execution.key);
    if (given_up_.contains(execution.key)) return;
    const Run* run = find(execution);
    const std::string name =
        named(execution.key) + " is " + std::string(to_string(execution.queue_status));
    if (execution.queue_status == QueueStatus::dispatched && run == nullptr) {
        findings_.add(name + ", and nobody has started it");
    }
    if (run == nullptr) {
        if (execution.queue_status == QueueStatus::completed) {
            findings_.add(name + ", and nobody has run it");
        }
        return;
    }
    if (is_active(execution.queue_status)) return;
    if (run->state == RunState::running) {
        findings_.add(name + " without a slot, and its run goes on");
    } else if (!is_open(execution.queue_status) && !fits(execution, run->state)) {
        findings_.add(name + " " + execution.error_reason + ", and its run ended otherwise");
    }
}

// Each end of a run was heard of.
void RemoteCluster::at_end(Reader& reader, Instant) {
    for (const auto& entry : runs_) {
        const auto stored = reader.execution(entry.second.execution.id);
        if (given_up_.contains(entry.second.execution)) continue;
        const bool is_lost = stored && *stored && is_open((*stored)->execution.queue_status);
        if (is_lost) {
            findings_.add(named(entry.second.execution) +
                          " is open still, and its run is over for long");
        }
    }
}

}  // namespace millrace::sim
