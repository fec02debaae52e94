#include <chrono>
#include <utility>

#include "simulator/remote_cluster.hpp"

namespace millrace::sim {

namespace {

using namespace std::chrono_literals;

constexpr Duration kRetention = 72h;
constexpr std::size_t kListedMost = 3;

CallFailure nobody_there(const char* code) {
    return {.is_unreachable = true, .code = code, .message = "simulated"};
}

StartAnswer start_failure(StartOutcome outcome, const char* code) {
    return {.outcome = outcome, .code = code, .message = "simulated"};
}

}  // namespace

// A start takes effect when it arrives, which is before its deadline; whether anybody hears of that
// is another question.
void RemoteLink::start(const StartRun& request, Duration timeout,
                       std::function<void(StartAnswer)> done) {
    const RemoteCluster::Weather weather = cluster_.weather_[target_];
    if (weather == RemoteCluster::Weather::refusing) {
        return done(start_failure(StartOutcome::unreachable, "UNAVAILABLE"));
    }
    const bool is_there = cluster_.find(target_, workflow_id(request.execution)) != nullptr;
    if (!is_there && !cluster_.is_good_ && cluster_.random_.chance(5)) {
        const bool is_conflict = cluster_.random_.chance(20);
        return done(start_failure(is_conflict ? StartOutcome::conflict : StartOutcome::refused,
                                  "INVALID_ARGUMENT"));
    }
    const bool is_silent = weather == RemoteCluster::Weather::silent;
    const bool arrives = !(is_silent || cluster_.is_lost()) || cluster_.random_.chance(50);
    const bool is_answered = arrives && !is_silent && !cluster_.is_lost();
    StartAnswer answer;
    if (arrives) answer = cluster_.start_run(target_, request);
    const std::optional<Duration> delay = cluster_.draw_delay();
    if (is_answered && !delay) return done(std::move(answer));
    RemoteCluster::Call call{
        .link = this,
        .deadline = cluster_.now() + timeout,
        .answer = [done, answer] { done(answer); },
        .time_out = [done] { done(start_failure(StartOutcome::unknown, "DEADLINE_EXCEEDED")); },
    };
    if (is_answered) call.due_at = cluster_.now() + *delay;
    cluster_.send(std::move(call));
}

// Answered now, later or never. What is said is how things are when it is said.
template <class Answer>
void RemoteLink::ask(Duration timeout, std::function<void(CallResult<Answer>)> done,
                     std::function<Answer()> compute) {
    const RemoteCluster::Weather weather = cluster_.weather_[target_];
    if (weather == RemoteCluster::Weather::refusing) {
        return done({.failure = nobody_there("UNAVAILABLE")});
    }
    const bool is_answered = weather == RemoteCluster::Weather::fine && !cluster_.is_lost();
    const std::optional<Duration> delay = cluster_.draw_delay();
    if (is_answered && !delay) return done({.answer = compute()});
    RemoteCluster::Call call{
        .link = this,
        .deadline = cluster_.now() + timeout,
        .answer = [done, compute] { done({.answer = compute()}); },
        .time_out = [done] { done({.failure = nobody_there("DEADLINE_EXCEEDED")}); },
    };
    if (is_answered) call.due_at = cluster_.now() + *delay;
    cluster_.send(std::move(call));
}

void RemoteLink::describe(const ExecutionKey& execution, const RunRef& run, Duration timeout,
                          std::function<void(CallResult<RunReport>)> done) {
    ask<RunReport>(timeout, std::move(done),
                   [this, execution, run] { return cluster_.report(target_, execution, run); });
}

void RemoteLink::await_end(const ExecutionKey& execution, const RunRef& run, Duration timeout,
                           std::function<void(CallResult<RunReport>)> done) {
    if (cluster_.weather_[target_] == RemoteCluster::Weather::refusing) {
        return done({.failure = nobody_there("UNAVAILABLE")});
    }
    const auto say = [this, execution, run, done] {
        done({.answer = cluster_.report(target_, execution, run)});
    };
    const RunReport now = cluster_.report(target_, execution, run);
    if (!now.is_found || now.state != RunState::running) return say();
    cluster_.send({.link = this,
                   .deadline = cluster_.now() + timeout,
                   .answer = say,
                   .time_out = say,
                   .awaited = run.workflow_id});
}

void RemoteLink::cancel(const RunRef& run, const std::string&, bool is_forced, Duration timeout,
                        std::function<void(CallResult<bool>)> done) {
    ask<bool>(timeout, std::move(done), [this, run, is_forced] {
        RemoteCluster::Run* found = cluster_.find(target_, run.workflow_id);
        if (found == nullptr || found->state != RunState::running) return false;
        found->is_cancel_wanted = true;
        if (is_forced) {
            cluster_.end(*found, RunState::terminated);
        } else if (cluster_.is_good_ || cluster_.random_.chance(70)) {
            cluster_.end(*found, RunState::cancelled);
        }
        return true;
    });
}

void RemoteLink::describe_namespace(const std::string&, Duration timeout,
                                    std::function<void(CallResult<NamespaceReport>)> done) {
    ask<NamespaceReport>(timeout, std::move(done), [] {
        return NamespaceReport{true, kRetention};
    });
}

void RemoteLink::list_closed(const std::string&, Instant since, const std::string& page,
                             Duration timeout, std::function<void(CallResult<ClosedRuns>)> done) {
    ask<ClosedRuns>(timeout, std::move(done), [this, since, page] {
        ClosedRuns closed;
        for (const auto& [key, run] : cluster_.runs_) {
            const bool is_meant = key.first == target_ && key.second > page &&
                                  run.state != RunState::running && run.closed_at >= since;
            if (!is_meant) continue;
            if (closed.workflow_ids.size() == kListedMost) {
                closed.next_page = closed.workflow_ids.back();
                break;
            }
            closed.workflow_ids.push_back(key.second);
        }
        return closed;
    });
}

// Everything under way ends with a failure.
void RemoteLink::stop() {
    std::vector<RemoteCluster::Call> mine;
    std::erase_if(cluster_.calls_, [&](RemoteCluster::Call& call) {
        if (call.link != this) return false;
        mine.push_back(std::move(call));
        return true;
    });
    for (const RemoteCluster::Call& call : mine) call.time_out();
}

}  // namespace millrace::sim
