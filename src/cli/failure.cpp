#include "cli/failure.hpp"

#include <array>
#include <ostream>
#include <utility>

#include "base/json/write.hpp"
#include "cli/exit_code.hpp"
#include "cli/yaml.hpp"

namespace millrace::cli {
namespace {

constexpr std::string_view kUnknownOutcome =
    "It is not known whether the server has done it: look before you try again.";

constexpr std::array<std::pair<std::string_view, std::string_view>, 13> kNextSteps{{
    {"unreachable",
     "Is a server running there? Start one with 'millrace serve', or name another with --server "
     "URL or MILLRACE_SERVER."},
    {"untrusted",
     "Name the certificate that vouches for the server with --ca-file FILE, and check that the "
     "host "
     "in --server is right and speaks https."},
    {"unauthorized", "Give a valid API key with --api-key KEY or MILLRACE_API_KEY."},
    {"forbidden",
     "The key's role or workspace does not allow it, or it belongs to another workspace: use "
     "another "
     "key, or name the workspace with --workspace."},
    {"unprocessable",
     "The idempotency key was used for another request before, or a value cannot be stored."},
    {"timeout", kUnknownOutcome},
    {"connection-lost", kUnknownOutcome},
    {"commit-unknown", kUnknownOutcome},
    {"bad-reply", "Is it a Millrace server that listens there?"},
    {"conflict", "Look at its state first: it does not allow this, or no longer does."},
    {"unavailable", "Nothing was changed: try again in a moment."},
    {"too-many-requests", "Nothing was changed: try again in a moment."},
    {"not-found",
     "Check the id, the workspace (--workspace or MILLRACE_WORKSPACE), and whether --server names "
     "the right server."},
}};

std::string_view next_step(std::string_view code) {
    for (const auto& [known, text] : kNextSteps) {
        if (known == code) return text;
    }
    return {};
}

// For failures that never left this process.
std::string_view code_of(int exit_code) {
    switch (exit_code) {
        case misused: return "wrong-usage";
        case no_answer: return "no-answer";
        default: return "refused";
    }
}

json::Value as_json(const client::Error& error) {
    json::Value out = json::Object{};
    out.set("error", error.code);
    out.set("message", error.message);
    if (!error.request_id.empty()) out.set("requestId", error.request_id);
    json::Array details;
    for (const ErrorDetail& detail : error.details) {
        json::Value item = json::Object{};
        item.set("path", detail.path);
        item.set("message", detail.message);
        details.push_back(std::move(item));
    }
    if (!details.empty()) out.set("details", std::move(details));
    return out;
}

void print(std::ostream& out, const client::Error& error, std::string_view next) {
    out << "millrace: " << error.message << " (" << error.code;
    if (!error.request_id.empty()) out << ", request " << error.request_id;
    out << ")\n";
    for (const ErrorDetail& detail : error.details) {
        out << "  " << detail.path << ": " << detail.message << '\n';
    }
    if (!next.empty()) out << next << '\n';
}

// For programs as a document, for people as text.
template <class PrintText>
void print(const Context& context, const json::Value& document, PrintText print_text) {
    std::ostream& err = context.console.err;
    switch (context.output) {
        case OutputFormat::table: print_text(err); break;
        case OutputFormat::json: err << json::write(document) << '\n'; break;
        case OutputFormat::yaml: err << "---\n" << to_yaml(document); break;
    }
}

}  // namespace

int fail(const Context& context, const client::Error& error) {
    return fail(context, error, next_step(error.code));
}

int fail(const Context& context, const client::Error& error, std::string_view next) {
    print(context, as_json(error), [&](std::ostream& out) { print(out, error, next); });
    if (error.code.starts_with("invalid-")) return misused;
    return error.status == 0 || error.status >= 500 ? no_answer : refused;
}

int fail(const Context& context, int exit_code, std::string_view message) {
    json::Value document = json::Object{};
    document.set("error", code_of(exit_code));
    document.set("message", message);
    print(context, document, [&](std::ostream& out) { out << "millrace: " << message << '\n'; });
    return exit_code;
}

int fail_on_store(const Context& context, const Error& error) {
    const bool is_misused =
        error.code == ErrorCode::invalid_argument || error.code == ErrorCode::not_found;
    const bool may_pass =
        error.code == ErrorCode::unavailable || error.code == ErrorCode::commit_unknown;
    return fail(context, is_misused ? misused : may_pass ? no_answer : refused, error.detail);
}

}  // namespace millrace::cli
