#include "cli/show_execution.hpp"

#include "cli/print_document.hpp"
#include "cli/readable_json.hpp"

namespace millrace::cli {
namespace {

std::string member_text(const client::Document& document, std::string_view member) {
    return std::string(document.text(member));
}

std::string json_of(const json::Value& value) {
    return value.is_null() ? "" : readable(value);
}

// Nothing where there is nothing to tell.
std::string count_unless_zero(const client::Document& document, std::string_view member) {
    const std::int64_t count = document.integer(member);
    return count == 0 ? "" : std::to_string(count);
}

// REASON: message.
std::string error_of(const client::Execution& execution) {
    const std::string reason = member_text(execution.error(), "reason");
    const std::string message = member_text(execution.error(), "message");
    return reason + (reason.empty() || message.empty() ? "" : ": ") + message;
}

}  // namespace

void show_execution(const Context& context, const client::Execution& execution) {
    if (print_document(context, execution.json())) return;
    const std::string executor = member_text(execution, "executor");
    const Rows rows{
        {"id", std::string(execution.id())},
        {"workspace", std::string(execution.workspace_id())},
        {"definition", std::string(execution.definition_id()) + " version " +
                           std::to_string(execution.definition_version())},
        {"status", std::string(execution.queue_status())},
        {"error", error_of(execution)},
        {"last error", member_text(execution, "lastError")},
        {"priority", std::to_string(execution.priority())},
        {"concurrency key", std::string(execution.concurrency_key())},
        {"requested by", member_text(execution, "requestedBy")},
        {"not before", member_text(execution, "notBefore")},
        {"deadline", member_text(execution, "deadline")},
        {"attempts", count_unless_zero(execution, "attemptCount")},
        {"deferrals", count_unless_zero(execution, "deferrals")},
        {"recoveries", count_unless_zero(execution, "recoveries")},
        {"next attempt", member_text(execution, "nextAttemptAt")},
        {"executor", executor},
        {"workflow", member_text(execution, "workflowId")},
        {executor == "native" ? "instance" : "run", member_text(execution, "runId")},
        {"created", std::string(execution.created_at())},
        {"claimed", member_text(execution, "claimedAt")},
        {"dispatched", member_text(execution, "dispatchedAt")},
        {"cancel requested", member_text(execution, "cancelRequestedAt")},
        {"completed", std::string(execution.completed_at())},
        {"retry of", member_text(execution, "retryOf")},
        {"retried by", member_text(execution, "retriedBy")},
        {"input", json_of(execution.input())},
        {"result", json_of(execution.result())},
    };
    print_facts(context.console, rows);
}

Rows execution_rows(const std::vector<client::Execution>& executions) {
    Rows rows{{"ID", "DEFINITION", "STATUS", "PRIORITY", "CREATED", "COMPLETED", "ERROR"}};
    for (const client::Execution& execution : executions) {
        rows.push_back({std::string(execution.id()),
                        std::string(execution.definition_id()) + ":" +
                            std::to_string(execution.definition_version()),
                        std::string(execution.queue_status()), std::to_string(execution.priority()),
                        std::string(execution.created_at()), std::string(execution.completed_at()),
                        error_of(execution)});
    }
    return rows;
}

}  // namespace millrace::cli
