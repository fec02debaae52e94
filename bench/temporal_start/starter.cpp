#include "temporal_start/starter.hpp"

#include <fmt/format.h>

#include <chrono>
#include <condition_variable>
#include <map>
#include <memory>
#include <random>
#include <stdexcept>

#include "base/json/write.hpp"
#include "base/mutex.hpp"
#include "executor/temporal/temporal_executor.hpp"
#include "load/samples.hpp"

namespace millrace::bench {

namespace {

using Clock = std::chrono::steady_clock;

std::string_view name_of(StartOutcome outcome) {
    switch (outcome) {
        case StartOutcome::started: return "started";
        case StartOutcome::refused: return "refused";
        case StartOutcome::conflict: return "conflict";
        case StartOutcome::unreachable: return "unreachable";
        case StartOutcome::unknown: return "unknown";
    }
    return "unknown";
}

class Starter {
public:
    explicit Starter(const StartOptions& options)
        : options_(options), input_(options.input_bytes, 'x') {
        Result<std::unique_ptr<RemoteExecutor>> executor = open_temporal(options.target);
        if (!executor) throw std::runtime_error(executor.error().detail);
        executor_ = std::move(*executor);
    }

    std::string run() {
        const Clock::time_point begun_at = Clock::now();
        for (int count = 0; count < options_.in_flight; ++count) start_next();
        const MutexLock lock(mutex_);
        while (ended_ < options_.starts) all_ended_.wait(mutex_);
        return report(Clock::now() - begun_at);
    }

private:
    void start_next() {
        StartRun request;
        {
            const MutexLock lock(mutex_);
            if (started_ == options_.starts) return;
            ++started_;
            request = new_request();
        }
        executor_->start(request, options_.timeout,
                         [this, begun_at = Clock::now()](const StartAnswer& answer) {
                             ended(answer, Clock::now() - begun_at);
                         });
    }

    void ended(const StartAnswer& answer, Clock::duration took) {
        {
            const MutexLock lock(mutex_);
            samples_.add(took);
            ++outcomes_[std::string(name_of(answer.outcome))];
            if (!answer.code.empty()) last_error_ = answer.code + " " + answer.message;
        }
        start_next();
        const MutexLock lock(mutex_);
        if (++ended_ == options_.starts) all_ended_.notify_all();
    }

    StartRun new_request() MILLRACE_REQUIRES(mutex_) {
        const auto now = std::chrono::time_point_cast<Duration>(std::chrono::system_clock::now());
        const ExecutionKey key{.id = {Id128::for_instance(now, dice_())},
                               .workspace_id = {"bench"}};
        last_workflow_id_ = workflow_id(key);
        return {
            .execution = key,
            .definition = {.row_id = 1, .id = "bench", .version = 1},
            .spec = {.kind = ExecutorKind::temporal, .workflow_type = options_.workflow_type},
            .payload = fmt::format(R"({{"executionId":"{}","workspaceId":"bench","input":"{}"}})",
                                   to_string(key.id.value), input_),
            .trace_parent = options_.trace_parent,
        };
    }

    std::string report(Clock::duration took) const MILLRACE_REQUIRES(mutex_) {
        const double seconds = std::chrono::duration<double>(took).count();
        std::string outcomes;
        for (const auto& [name, count] : outcomes_) {
            outcomes += fmt::format(R"({}"{}":{})", outcomes.empty() ? "" : ",", name, count);
        }
        return fmt::format(
            R"({{"starts":{},"seconds":{:.3f},"perSecond":{:.0f},"took":{},"outcomes":{{{}}},)"
            R"("lastWorkflowId":"{}","lastError":{}}})",
            options_.starts, seconds, options_.starts / seconds, samples_.json(), outcomes,
            last_workflow_id_, json::write(last_error_));
    }

    const StartOptions options_;
    const std::string input_;
    Mutex mutex_;
    std::condition_variable_any all_ended_;
    int started_ MILLRACE_GUARDED_BY(mutex_) = 0;
    int ended_ MILLRACE_GUARDED_BY(mutex_) = 0;
    std::mt19937_64 dice_ MILLRACE_GUARDED_BY(mutex_){std::random_device{}()};
    Samples samples_ MILLRACE_GUARDED_BY(mutex_);
    std::map<std::string, int> outcomes_ MILLRACE_GUARDED_BY(mutex_);
    std::string last_workflow_id_ MILLRACE_GUARDED_BY(mutex_);
    std::string last_error_ MILLRACE_GUARDED_BY(mutex_);
    std::unique_ptr<RemoteExecutor> executor_{};  // Last: its end waits for the calls.
};

}  // namespace

std::string run_starts(const StartOptions& options) {
    return Starter(options).run();
}

}  // namespace millrace::bench
