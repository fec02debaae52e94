#include "cli/exec_handler.hpp"

#include <algorithm>

#include "base/json/parse.hpp"
#include "base/json/write.hpp"
#include "cli/child_process.hpp"

namespace millrace::cli {
namespace {

constexpr int kExitNotRetryable = 100;

std::string trimmed(const std::string& text) {
    constexpr const char* kSpace = " \t\r\n";
    const std::size_t begin = text.find_first_not_of(kSpace);
    if (begin == std::string::npos) return {};
    return text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
}

// Commands may write any bytes, and the cut may split a character; JSON wants UTF-8.
std::string as_utf8(std::string text) {
    if (!json::parse(json::write(text))) {
        std::ranges::replace_if(
            text, [](char c) { return (c & 0x80) != 0; }, '?');
    }
    return text;
}

client::Failed failure_of(const ChildResult& result) {
    const std::string how =
        result.signal != 0 ? "The command was ended by signal " + std::to_string(result.signal)
                           : "The command ended with exit code " + std::to_string(result.exit_code);
    const std::string tail = as_utf8(trimmed(result.error_tail));
    return {.message = tail.empty() ? how + "." : how + ": " + tail,
            .retryable = result.exit_code != kExitNotRetryable};
}

client::Outcome completion_of(const ChildResult& result) {
    if (result.output_cut) {
        return client::Failed{
            .message = "The command wrote more than " + std::to_string(kOutputBytesMax) + " bytes.",
            .retryable = false};
    }
    const std::string text = trimmed(result.output);
    if (text.empty()) return client::Completed{};
    Result<json::Value> variables = json::parse(text);
    if (!variables || !variables->is_object()) {
        return client::Failed{
            .message =
                "Expected a JSON object on the command's standard output, but " +
                (variables ? std::string("it is another value.") : variables.error().detail)};
    }
    return client::Completed{.variables = std::move(*variables)};
}

// Servers from before these were told have the same facts under other names.
Variables variables_of(const client::Job& job) {
    const std::int64_t attempt = job.attempt() > 0 ? job.attempt() : job.lease_token();
    const std::string_view key = job.idempotency_key().empty() ? job.id() : job.idempotency_key();
    const auto variable = [](const char* name, std::string_view value) {
        return std::string(name) + "=" + std::string(value.substr(0, value.find('\0')));
    };
    Variables variables{
        variable("MILLRACE_JOB_ID", job.id()),
        variable("MILLRACE_JOB_TYPE", job.job_type()),
        variable("MILLRACE_INSTANCE_ID", job.instance_id()),
        variable("MILLRACE_STEP_ID", job.step_id()),
        variable("MILLRACE_ATTEMPT", std::to_string(attempt)),
        variable("MILLRACE_IDEMPOTENCY_KEY", key),
        variable("MILLRACE_RETRIES_REMAINING", std::to_string(job.retries_remaining()))};
    // So that what the command asks `millrace` for is found where its job is.
    if (const std::string_view workspace = job.text("workspaceId"); !workspace.empty()) {
        variables.push_back(variable("MILLRACE_WORKSPACE", workspace));
    }
    // As OpenTelemetry's tools expect it.
    if (!job.traceparent().empty()) variables.push_back(variable("TRACEPARENT", job.traceparent()));
    return variables;
}

}  // namespace

Status find_command(const std::string& command) {
    constexpr std::string_view kPlain =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./+-";
    const std::string word = command.substr(0, command.find_first_of(" \t\n"));
    const bool is_plain = !word.empty() && word.find_first_not_of(kPlain) == std::string::npos;
    if (!is_plain) return ok();
    // Of a path some shells only see whether it is there.
    const bool is_path = word.find('/') != std::string::npos;
    const Result<ChildResult> found =
        run_child((is_path ? "test -f " + word + " -a -x " : "command -v ") + word, "");
    if (!found || found->exit_code == 0) return ok();
    return Error{ErrorCode::invalid_argument, "Expected a command to run for each job, but " +
                                                  word + " is not found, or may not be run."};
}

client::Outcome run_for_job(const std::string& command, const client::Job& job,
                            const client::JobContext& context) {
    const Result<ChildResult> result =
        run_child(command, json::write(job.json()) + "\n", variables_of(job), context.stop_token());
    if (!result) return client::Failed{.message = result.error().detail};
    const bool succeeded = result->exit_code == 0 && result->signal == 0;
    return succeeded ? completion_of(*result) : client::Outcome(failure_of(*result));
}

}  // namespace millrace::cli
