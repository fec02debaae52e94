#include "commit/effects_size.hpp"

namespace millrace {

namespace {

constexpr std::int64_t kRowBytes = 256;  // Ids, times, names: about.

std::int64_t length(const std::string& text) {
    return static_cast<std::int64_t>(text.size());
}

std::int64_t bytes_of(const std::vector<Try>& tries) {
    std::int64_t bytes = 0;
    for (const Try& each : tries) bytes += length(each.message);
    return bytes;
}

std::int64_t bytes_of(const Instance& row) {
    std::int64_t bytes = length(row.variables.text());
    for (const OpenStep& step : row.state.open_steps) bytes += kRowBytes + bytes_of(step.tries);
    return bytes;
}

std::int64_t bytes_of(const Job& row) {
    return row.variables ? length(row.variables->text()) : 0;
}

std::int64_t bytes_of(const JobVariables& row) {
    return length(row.variables.text());
}

std::int64_t bytes_of(const StepExecution& row) {
    return bytes_of(row.tries) + (row.failure_reason ? length(*row.failure_reason) : 0);
}

std::int64_t bytes_of(const DefinitionRecord& row) {
    return length(row.content) + length(row.canonical);
}

std::int64_t bytes_of(const NewExecution& row) {
    return length(row.input.text());
}

std::int64_t bytes_of(const ExecutionResult& row) {
    return length(row.result);
}

template <class Rows>
RowsSize size_of_rows(const Rows& rows) {
    RowsSize size{.rows = static_cast<std::int64_t>(rows.size())};
    for (const auto& row : rows) size.bytes += bytes_of(row);
    return size;
}

// Rows that are all small.
template <class... Lists>
RowsSize size_of_small(const Lists&... lists) {
    return {.rows = (static_cast<std::int64_t>(lists.size()) + ...)};
}

RowsSize with_row_bytes(RowsSize size) {
    size.bytes += size.rows * kRowBytes;
    return size;
}

}  // namespace

RowsSize size_of(const Effects& e) {
    RowsSize size = size_of_rows(e.instances);
    size += size_of_rows(e.jobs);
    size += size_of_rows(e.job_variables);
    size += size_of_rows(e.step_executions);
    size += size_of_rows(e.definitions);
    size += size_of_rows(e.executions_new);
    size += size_of_rows(e.execution_results);
    size += size_of_small(e.jobs_removed, e.timers, e.timers_removed, e.user_tasks,
                          e.user_tasks_ended, e.idempotency_records, e.audit_entries, e.api_keys,
                          e.instances_removed, e.audit_removed, e.executions, e.executions_moved,
                          e.executions_ended, e.executions_removed);
    return with_row_bytes(size);
}

RowsSize size_of(const LoadedRows& loaded) {
    RowsSize size = size_of_rows(loaded.instances);
    size += size_of_rows(loaded.jobs);
    size += size_of_rows(loaded.step_executions);
    size += size_of_small(loaded.user_tasks, loaded.executions);
    for (const WorkspaceLine& line : loaded.admission.lines) {
        for (const WaitingExecution& waiting : line.ready) {
            size.rows += 1;
            size.bytes += length(waiting.input.text());
            if (waiting.instance) size.bytes += bytes_of(*waiting.instance);
        }
    }
    return with_row_bytes(size);
}

}  // namespace millrace
