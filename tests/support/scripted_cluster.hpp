#pragma once

#include <algorithm>
#include <deque>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "executor/remote_executor.hpp"
#include "support/fake_clock.hpp"

namespace millrace {

// A cluster whose runs end when a test says so, and that answers as badly as a test wants. It
// answers at once, unless it holds its answers or keeps silent; time passes in it by pass_time().
class ScriptedCluster final : public RemoteExecutor {
public:
    enum class Weather {
        fine,
        refusing,  // Nobody is there, and that is noticed at once.
        silent,    // Nothing is answered until the deadline.
    };

    struct Run {
        std::optional<ExecutionKey> execution{};  // Whose memo it has; empty for somebody else's.
        std::string run_id{};
        RunState state = RunState::running;
        std::string result{};
        std::string message{};
        StartRun request{};
        Instant closed_at{};
        int cancels = 0;
    };

    struct ScriptedStart {
        StartAnswer answer{};
        bool happens = false;  // The run begins, whatever is answered.
    };

    explicit ScriptedCluster(const FakeClock& clock) : clock_(clock) {}

    // The script.
    Weather weather = Weather::fine;
    bool is_holding = false;  // Calls wait for release().
    bool starts_happen_in_silence = false;
    bool obeys_cancel = true;
    bool may_describe = true;  // Else questions are refused, for good.
    bool may_list = true;
    Duration retention = std::chrono::hours{72};
    bool has_namespace = true;
    std::size_t page_size = 2;
    std::deque<ScriptedStart> next_starts{};
    std::map<ExecutionId, StartAnswer> starts_of{};

    // What was asked of it.
    std::map<std::string, Run> runs{};  // By workflow id.
    int starts = 0;
    int describes = 0;
    int polls = 0;
    int cancels = 0;
    int lists = 0;
    int namespace_questions = 0;
    int runs_begun = 0;
    std::size_t starts_under_way = 0;
    std::size_t starts_under_way_max = 0;
    std::size_t polls_under_way() const { return polls_.size(); }
    std::vector<Instant> calls_at{};

    Run& run_of(const ExecutionKey& key) { return runs.at(workflow_id(key)); }
    bool has_run(const ExecutionKey& key) const { return runs.contains(workflow_id(key)); }

    void end_run(const ExecutionKey& key, RunState state, std::string text = {}) {
        Run& run = run_of(key);
        run.state = state;
        run.closed_at = clock_.now();
        (state == RunState::completed ? run.result : run.message) = std::move(text);
        end_polls([&](const Poll& poll) { return poll.ref.workflow_id == workflow_id(key); });
    }

    // Lets go of what is held.
    void release() {
        is_holding = false;
        for (const auto& call : std::exchange(held_, {})) call.answer();
    }

    // What is held never reaches it, and nobody waits for an answer.
    void forget_held() { held_.clear(); }

    // Deadlines that have passed.
    void pass_time() {
        std::vector<Call> over;
        std::erase_if(held_, [&](const Call& call) {
            if (call.deadline > clock_.now()) return false;
            over.push_back(call);
            return true;
        });
        for (const Call& call : over) call.time_out();
        end_polls([&](const Poll& poll) { return poll.deadline <= clock_.now(); });
    }

    void start(const StartRun& request, Duration timeout,
               std::function<void(StartAnswer)> done) override {
        starts += 1;
        starts_under_way += 1;
        starts_under_way_max = std::max(starts_under_way_max, starts_under_way);
        const auto end = [this, done = std::move(done)](StartAnswer answer) {
            starts_under_way -= 1;
            done(std::move(answer));
        };
        if (weather == Weather::refusing) return end(failed(StartOutcome::unreachable));
        if (weather == Weather::silent && starts_happen_in_silence) begin(request);
        call(
            timeout, [this, request, end] { end(answer_to(request)); },
            [end] { end(failed(StartOutcome::unknown)); });
    }

    void describe(const ExecutionKey& execution, const RunRef& run, Duration timeout,
                  std::function<void(CallResult<RunReport>)> done) override {
        describes += 1;
        ask<RunReport>(timeout, std::move(done), [this, execution, run] {
            if (!may_describe) return CallResult<RunReport>{.failure = denied()};
            return CallResult<RunReport>{.answer = report(execution, run)};
        });
    }

    void await_end(const ExecutionKey& execution, const RunRef& run, Duration timeout,
                   std::function<void(CallResult<RunReport>)> done) override {
        polls += 1;
        if (weather == Weather::refusing) return done({.failure = unreachable()});
        const RunReport now = report(execution, run);
        if (!now.is_found || now.state != RunState::running) return done({.answer = now});
        polls_.push_back({execution, run, clock_.now() + timeout, std::move(done)});
    }

    void cancel(const RunRef& run, const std::string&, bool is_forced, Duration timeout,
                std::function<void(CallResult<bool>)> done) override {
        cancels += 1;
        ask<bool>(timeout, std::move(done), [this, run, is_forced] {
            const auto found = runs.find(run.workflow_id);
            if (found == runs.end() || found->second.state != RunState::running) {
                return CallResult<bool>{.answer = false};
            }
            found->second.cancels += 1;
            const ExecutionKey key = found->second.execution.value_or(ExecutionKey{});
            if (is_forced) {
                end_run(key, RunState::terminated, "terminated");
            } else if (obeys_cancel) {
                end_run(key, RunState::cancelled);
            }
            return CallResult<bool>{.answer = true};
        });
    }

    void describe_namespace(const std::string&, Duration timeout,
                            std::function<void(CallResult<NamespaceReport>)> done) override {
        namespace_questions += 1;
        ask<NamespaceReport>(timeout, std::move(done), [this] {
            if (!may_describe) return CallResult<NamespaceReport>{.failure = denied()};
            return CallResult<NamespaceReport>{.answer = NamespaceReport{has_namespace, retention}};
        });
    }

    void list_closed(const std::string&, Instant since, const std::string& page, Duration timeout,
                     std::function<void(CallResult<ClosedRuns>)> done) override {
        lists += 1;
        ask<ClosedRuns>(timeout, std::move(done), [this, since, page] {
            if (!may_list) return CallResult<ClosedRuns>{.failure = denied()};
            ClosedRuns closed;
            for (auto run = runs.upper_bound(page); run != runs.end(); ++run) {
                const bool is_closed = run->second.state != RunState::running;
                if (!is_closed || run->second.closed_at < since) continue;
                if (closed.workflow_ids.size() == page_size) {
                    closed.next_page = closed.workflow_ids.back();
                    break;
                }
                closed.workflow_ids.push_back(run->first);
            }
            return CallResult<ClosedRuns>{.answer = std::move(closed)};
        });
    }

    void stop() override {}

private:
    struct Call {
        Instant deadline{};
        std::function<void()> answer{};
        std::function<void()> time_out{};
    };

    struct Poll {
        ExecutionKey execution{};
        RunRef ref{};
        Instant deadline{};
        std::function<void(CallResult<RunReport>)> done{};
    };

    static CallFailure unreachable() {
        return {.is_unreachable = true, .code = "UNAVAILABLE", .message = "nobody is there"};
    }
    static CallFailure denied() { return {.code = "PERMISSION_DENIED", .message = "no"}; }

    static StartAnswer failed(StartOutcome outcome) {
        const bool is_late = outcome == StartOutcome::unknown;
        return {.outcome = outcome,
                .code = is_late ? "DEADLINE_EXCEEDED" : "UNAVAILABLE",
                .message = is_late ? "no answer in time" : "nobody is there"};
    }

    // Calls back now, when it is released or when its time is over.
    void call(Duration timeout, std::function<void()> answer, std::function<void()> time_out) {
        calls_at.push_back(clock_.now());
        if (!is_holding && weather == Weather::fine) return answer();
        held_.push_back({clock_.now() + timeout, std::move(answer), std::move(time_out)});
    }

    template <class Answer, class Compute>
    void ask(Duration timeout, std::function<void(CallResult<Answer>)> done, Compute compute) {
        if (weather == Weather::refusing) {
            calls_at.push_back(clock_.now());
            return done({.failure = unreachable()});
        }
        call(
            timeout, [done, compute] { done(compute()); },
            [done] { done({.failure = {.is_unreachable = true, .code = "DEADLINE_EXCEEDED"}}); });
    }

    StartAnswer answer_to(const StartRun& request) {
        if (const auto found = starts_of.find(request.execution.id); found != starts_of.end()) {
            return found->second;
        }
        if (next_starts.empty()) return begin(request);
        const ScriptedStart next = next_starts.front();
        next_starts.pop_front();
        if (next.happens) begin(request);
        return next.answer;
    }

    StartAnswer begin(const StartRun& request) {
        const auto [run, is_new] = runs.try_emplace(workflow_id(request.execution));
        if (is_new) {
            runs_begun += 1;
            run->second = {.execution = request.execution,
                           .run_id = "run-" + std::to_string(runs_begun),
                           .request = request};
        }
        if (run->second.execution != request.execution) {
            return {.outcome = StartOutcome::conflict,
                    .code = "ALREADY_EXISTS",
                    .reason = "WORKFLOW_ID_CONFLICT",
                    .message = "somebody else has it"};
        }
        return {.outcome = StartOutcome::started, .run_id = run->second.run_id};
    }

    RunReport report(const ExecutionKey& execution, const RunRef& ref) const {
        const auto found = runs.find(ref.workflow_id);
        if (found == runs.end()) return {};
        const Run& run = found->second;
        if (!ref.run_id.empty() && ref.run_id != run.run_id) return {};
        return {.is_found = true,
                .is_ours = run.execution == execution,
                .state = run.state,
                .run_id = run.run_id,
                .result = run.result,
                .message = run.message};
    }

    template <class IsOver>
    void end_polls(const IsOver& is_over) {
        std::vector<Poll> over;
        std::erase_if(polls_, [&](const Poll& poll) {
            if (!is_over(poll)) return false;
            over.push_back(poll);
            return true;
        });
        for (const Poll& poll : over) {
            if (weather == Weather::fine) {
                poll.done({.answer = report(poll.execution, poll.ref)});
            } else {
                poll.done({.failure = unreachable()});
            }
        }
    }

    const FakeClock& clock_;
    std::vector<Call> held_;
    std::vector<Poll> polls_;
};

}  // namespace millrace
