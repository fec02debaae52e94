#include <chrono>
#include <utility>

#include "core/definition/bounded_duration.hpp"
#include "core/definition/compile.hpp"
#include "core/limits.hpp"

namespace millrace::definition {

namespace {

// What a cluster takes when an author names none.
constexpr Duration kInitialIntervalDefault = std::chrono::seconds(1);

class ExecutorCompiler {
public:
    ExecutorCompiler(const DraftExecutor& draft, Problems& problems)
        : draft_(draft), problems_(problems) {}

    ExecutorSpec run() {
        ExecutorSpec spec{
            .kind = ExecutorKind::temporal,
            .target = std::string(draft_.target),
            .name_space = std::string(draft_.name_space),
            .task_queue = std::string(draft_.task_queue),
            .workflow_type = std::string(draft_.workflow_type),
        };
        if (draft_.timeouts) {
            const DraftTimeouts& timeouts = *draft_.timeouts;
            spec.execution_timeout = timeout("execution", timeouts.execution);
            spec.run_timeout = timeout("run", timeouts.run);
            spec.task_timeout = timeout("task", timeouts.task, limits::kRunTaskTimeoutMax);
        }
        if (draft_.retry) spec.retry = retry(*draft_.retry);
        return spec;
    }

private:
    std::optional<Duration> timeout(const std::string& field, std::string_view text,
                                    Duration max = limits::kRunTimeoutMax) {
        return duration("timeouts." + field, text, limits::kRunTimeoutMin, max);
    }

    RunRetry retry(const DraftRunRetry& draft) {
        RunRetry retry{
            .backoff_coefficient = draft.backoff_coefficient,
            .maximum_attempts = static_cast<std::int32_t>(draft.maximum_attempts),
            .non_retryable_error_types = {draft.non_retryable_error_types.begin(),
                                          draft.non_retryable_error_types.end()},
        };
        retry.initial_interval = duration("retry.initialInterval", draft.initial_interval,
                                          Duration{1}, limits::kRetryInitialDelayMax);
        retry.maximum_interval = duration("retry.maximumInterval", draft.maximum_interval,
                                          retry.initial_interval.value_or(kInitialIntervalDefault),
                                          limits::kRetryDelayMax);
        return retry;
    }

    std::optional<Duration> duration(const std::string& field, std::string_view text, Duration min,
                                     Duration max) {
        if (text.empty()) return std::nullopt;
        const Result<Duration> parsed = parse_bounded_duration(text, min, max);
        if (parsed) return *parsed;
        problems_.add("executor." + field,
                      "executor " + field + " " + quoted(text) + " " + parsed.error().detail);
        return std::nullopt;
    }

    const DraftExecutor& draft_;
    Problems& problems_;
};

}  // namespace

ExecutorSpec compile_executor(const Draft& draft, Problems& problems) {
    if (!draft.is_remote()) return {};
    return ExecutorCompiler(*draft.executor, problems).run();
}

}  // namespace millrace::definition
