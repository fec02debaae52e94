#include <algorithm>

#include "core/definition/rules.hpp"
#include "core/limits.hpp"

namespace millrace::definition {

namespace {

constexpr std::size_t kTargetBytesMax = 63;  // As the settings of a server may call one.

bool is_target_character(char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
}

bool is_target(std::string_view name) {
    return name.size() <= kTargetBytesMax && std::ranges::all_of(name, is_target_character) &&
           name.front() != '_' && name.front() != '-';
}

class ExecutorCheck {
public:
    ExecutorCheck(const DraftExecutor& executor, Problems& problems)
        : executor_(executor), problems_(problems) {}

    void run() {
        if (executor_.kind_text.empty()) {
            problems_.add("executor.kind", "executor.kind is required");
        } else if (!executor_.kind) {
            add("kind", ": unsupported kind " + quoted(executor_.kind_text) +
                            meant_by(executor_.kind_text, {"native", "temporal"}) +
                            ", expected native or temporal");
        }
        if (executor_.kind == ExecutorKind::native) check_native();
        if (executor_.kind == ExecutorKind::temporal) check_temporal();
    }

private:
    void check_native() {
        only_elsewhere("target", !executor_.target.empty());
        only_elsewhere("namespace", !executor_.name_space.empty());
        only_elsewhere("taskQueue", !executor_.task_queue.empty());
        only_elsewhere("workflowType", !executor_.workflow_type.empty());
        only_elsewhere("timeouts", executor_.timeouts.has_value());
        only_elsewhere("retry", executor_.retry.has_value());
    }

    void only_elsewhere(const std::string& field, bool is_there) {
        if (is_there) add(field, " (native): " + field + " is only for temporal");
    }

    void check_temporal() {
        if (!executor_.target.empty() && !is_target(executor_.target)) {
            add("target", ": target " + quoted(executor_.target) +
                              " must match ^[A-Za-z0-9][A-Za-z0-9_\\-]{0,62}$");
        }
        check_name("namespace", executor_.name_space);
        check_name("taskQueue", executor_.task_queue);
        check_name("workflowType", executor_.workflow_type);
        if (executor_.retry) check_retry(*executor_.retry);
    }

    void check_retry(const DraftRunRetry& retry) {
        const std::optional<double>& coefficient = retry.backoff_coefficient;
        if (coefficient && (*coefficient < 1 || *coefficient > 100)) {
            add("retry.backoffCoefficient", ": retry.backoffCoefficient must be between 1 and 100");
        }
        if (retry.maximum_attempts < 0 || retry.maximum_attempts > limits::kRunAttemptsMax) {
            add("retry.maximumAttempts", ": retry.maximumAttempts must be between 0 and " +
                                             std::to_string(limits::kRunAttemptsMax) + ", got " +
                                             std::to_string(retry.maximum_attempts));
        }
        check_error_types(retry.non_retryable_error_types);
    }

    void check_error_types(const std::vector<std::string_view>& types) {
        const std::string field = "retry.nonRetryableErrorTypes";
        if (types.size() > limits::kNonRetryableErrorTypesMax) {
            add(field, ": " + field + " must be \u2264 " +
                           std::to_string(limits::kNonRetryableErrorTypesMax) + ", got " +
                           std::to_string(types.size()));
        }
        for (std::size_t i = 0; i < types.size(); ++i) {
            const std::string here = field + "[" + std::to_string(i) + "]";
            if (types[i].empty()) add(here, ": " + here + " must not be empty");
            check_name(here, types[i]);
        }
    }

    void check_name(const std::string& field, std::string_view name) {
        for (const std::string& flaw : flaws_of_name(name)) add(field, ": " + field + " " + flaw);
    }

    void add(const std::string& field, const std::string& message) {
        problems_.add("executor." + field, "executor" + message);
    }

    const DraftExecutor& executor_;
    Problems& problems_;
};

void check_max_attempts(std::int64_t attempts, Problems& problems) {
    if (attempts >= 0 && attempts <= limits::kExecutionAttemptsMax) return;
    problems.add("maxAttempts", "maxAttempts must be between 1 and " +
                                    std::to_string(limits::kExecutionAttemptsMax) + ", got " +
                                    std::to_string(attempts));
}

}  // namespace

void check_executor(const Draft& draft, Problems& problems) {
    if (draft.executor) ExecutorCheck(*draft.executor, problems).run();
    if (draft.is_remote() && draft.auto_start_next_workflow) {
        problems.add("autoStartNextWorkflow",
                     "autoStartNextWorkflow is only for the executor native: no instance of this "
                     "definition completes here");
    }
    check_max_attempts(draft.max_attempts, problems);
}

}  // namespace millrace::definition
