#include "simulator/writes_text.hpp"

#include "core/queue/execution.hpp"

namespace millrace::sim {

namespace {

// The last letters of an id and its sequence: enough to tell the things of a run apart.
std::string short_id(const Id128& id) {
    const std::string text = to_string(id);
    return text.substr(15, 5) + "." + std::to_string(id.sequence());
}

class ListedRows {
public:
    template <class Rows, class Text>
    void add(std::string_view name, const Rows& rows, Text text) {
        if (rows.empty()) return;
        line_ += (line_.empty() ? "" : "; ") + std::string(name);
        for (const auto& row : rows) line_ += " " + text(row);
    }

    std::string take() { return std::move(line_); }

private:
    std::string line_;
};

std::string job_text(const Job& job) {
    return short_id(job.key.id.value) + "=" + std::string(to_string(job.status)) + "#" +
           std::to_string(job.lease_token);
}

std::string instance_text(const Instance& instance) {
    std::string text = short_id(instance.key.id.value) + "=" +
                       std::string(to_string(instance.status)) +
                       (instance.state.is_suspended ? "(suspended)" : "");
    for (const OpenStep& step : instance.state.open_steps) text += "," + step.step_id;
    return text;
}

std::string execution_text(const Execution& execution) {
    return short_id(execution.key.id.value) + "=" + std::string(to_string(execution.queue_status)) +
           "/" + std::string(to_string(execution.place));
}

}  // namespace

std::string text_of(const Writes& writes) {
    ListedRows line;
    const auto key_text = [](const auto& key) {
        return short_id(key.id.value);
    };
    const auto row_text = [](const auto& row) {
        return short_id(row.key.id.value);
    };
    line.add("instances +", writes.instances_new, instance_text);
    line.add("instances", writes.instances_changed, instance_text);
    line.add("instances -", writes.instances_removed, key_text);
    line.add("jobs +", writes.jobs_new, job_text);
    line.add("jobs", writes.jobs_changed, job_text);
    line.add("jobs -", writes.jobs_removed, key_text);
    line.add("timers +", writes.timers_new, row_text);
    line.add("timers -", writes.timers_removed, key_text);
    line.add("tasks +", writes.user_tasks_new, row_text);
    line.add("tasks", writes.user_tasks_changed, row_text);
    line.add("tasks over", writes.user_tasks_ended, row_text);
    line.add("history +", writes.step_executions, [](const StepExecution& row) {
        return short_id(row.key.id.value) + "=" + row.step_id + ":" +
               std::string(to_string(row.status));
    });
    line.add("executions +", writes.executions_new,
             [](const NewExecution& row) { return execution_text(row.execution); });
    line.add("executions", writes.executions_changed, execution_text);
    line.add("executions moved", writes.executions_moved, row_text);
    line.add("executions over", writes.executions_ended, row_text);
    line.add("executions -", writes.executions_removed, key_text);
    line.add("keys +", writes.idempotency_records,
             [](const IdempotencyRecord& row) { return row.key.operation + ":" + row.key.key; });
    line.add("definitions +", writes.definitions, [](const DefinitionRecord& row) {
        return row.id + "#" + std::to_string(row.version);
    });
    line.add("workspaces", writes.workspaces, [](const Workspace& row) { return row.id.value; });
    line.add("workspaces -", writes.workspaces_removed,
             [](const WorkspaceId& id) { return id.value; });
    return line.take();
}

}  // namespace millrace::sim
