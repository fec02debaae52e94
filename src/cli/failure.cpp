#include "cli/failure.hpp"

#include <array>
#include <ostream>
#include <utility>

#include "base/json/write.hpp"
#include "cli/exit_code.hpp"

namespace millrace::cli {
namespace {

constexpr std::string_view kUnknownOutcome =
    "It is not known whether the server has done it: look before you try again.";

constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kNextSteps{{
    {"unreachable",
     "Is a server running there? Start one with 'millrace serve', or name another with --server "
     "URL or MILLRACE_SERVER."},
    {"timeout", kUnknownOutcome},
    {"connection-lost", kUnknownOutcome},
    {"commit-unknown", kUnknownOutcome},
    {"bad-reply", "Is it a Millrace server that listens there?"},
    {"conflict", "It has moved on: look at it with 'millrace instances get'."},
    {"unavailable", "Nothing was changed: try again in a moment."},
    {"too-many-requests", "Nothing was changed: try again in a moment."},
    {"not-found", "Check the id, and whether --server names the right server."},
}};

std::string_view next_step(std::string_view code) {
    for (const auto& [known, text] : kNextSteps) {
        if (known == code) return text;
    }
    return {};
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

void print(std::ostream& out, const client::Error& error) {
    out << "millrace: " << error.message << " (" << error.code;
    if (!error.request_id.empty()) out << ", request " << error.request_id;
    out << ")\n";
    for (const ErrorDetail& detail : error.details) {
        out << "  " << detail.path << ": " << detail.message << '\n';
    }
    if (const std::string_view text = next_step(error.code); !text.empty()) out << text << '\n';
}

}  // namespace

int fail(const Context& context, const client::Error& error) {
    std::ostream& out = context.console.err;
    if (context.output == OutputFormat::json) {
        out << json::write(as_json(error)) << '\n';
    } else {
        print(out, error);
    }
    if (error.code == "invalid-url") return misused;
    return error.status == 0 || error.status >= 500 ? no_answer : refused;
}

int fail(const Context& context, int exit_code, std::string_view message) {
    if (context.output == OutputFormat::json) {
        json::Value out = json::Object{};
        out.set("message", message);
        context.console.err << json::write(out) << '\n';
    } else {
        context.console.err << "millrace: " << message << '\n';
    }
    return exit_code;
}

}  // namespace millrace::cli
