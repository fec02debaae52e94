#include "cli/show_execution.hpp"

#include "cli/print_document.hpp"
#include "cli/readable_json.hpp"

namespace millrace::cli {
namespace {

std::string text_of(const client::Document& document, std::string_view member) {
    return std::string(document.text(member));
}

std::string json_of(const json::Value& value) {
    return value.is_null() ? "" : readable(value);
}

// Nothing where there is nothing to tell.
std::string count_of(const client::Document& document, std::string_view member) {
    const std::int64_t count = document.integer(member);
    return count == 0 ? "" : std::to_string(count);
}

// REASON: message.
std::string error_of(const client::Execution& execution) {
    const std::string reason = text_of(execution.error(), "reason");
    const std::string message = text_of(execution.error(), "message");
    return reason + (reason.empty() || message.empty() ? "" : ": ") + message;
}

}  // namespace

void show_execution(const Context& context, const client::Execution& execution) {
    if (print_document(context, execution.json())) return;
    const std::string executor = text_of(execution, "executor");
    const Rows rows{
        {"id", std::string(execution.id())},
        {"workspace", std::string(execution.workspace_id())},
        {"definition", std::string(execution.definition_id()) + " version " +
                           std::to_string(execution.definition_version())},
        {"status", std::string(execution.queue_status())},
        {"error", error_of(execution)},
        {"last error", text_of(execution, "lastError")},
        {"priority", std::to_string(execution.priority())},
        {"concurrency key", std::string(execution.concurrency_key())},
        {"requested by", text_of(execution, "requestedBy")},
        {"not before", text_of(execution, "notBefore")},
        {"deadline", text_of(execution, "deadline")},
        {"attempts", count_of(execution, "attemptCount")},
        {"deferrals", count_of(execution, "deferrals")},
        {"recoveries", count_of(execution, "recoveries")},
        {"next attempt", text_of(execution, "nextAttemptAt")},
        {"executor", executor},
        {"workflow", text_of(execution, "workflowId")},
        {executor == "native" ? "instance" : "run", text_of(execution, "runId")},
        {"created", std::string(execution.created_at())},
        {"claimed", text_of(execution, "claimedAt")},
        {"dispatched", text_of(execution, "dispatchedAt")},
        {"cancel requested", text_of(execution, "cancelRequestedAt")},
        {"completed", std::string(execution.completed_at())},
        {"retry of", text_of(execution, "retryOf")},
        {"retried by", text_of(execution, "retriedBy")},
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
