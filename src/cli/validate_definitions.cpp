#include "cli/validate_definitions.hpp"

#include <algorithm>
#include <ostream>

#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/print_document.hpp"
#include "cli/read_input.hpp"

namespace millrace::cli {
namespace {

json::Value verdict(const std::string& file, const Status& status) {
    json::Value out = json::Object{};
    out.set("file", file);
    out.set("accepted", static_cast<bool>(status));
    if (status) return out;
    out.set("error", status.error().detail);
    json::Array details;
    for (const ErrorDetail& detail : status.error().details) {
        json::Value item = json::Object{};
        item.set("path", detail.path);
        item.set("message", detail.message);
        details.push_back(std::move(item));
    }
    out.set("details", std::move(details));
    return out;
}

void print(std::ostream& out, const std::string& file, const Status& status) {
    if (status) {
        out << file << ": accepted\n";
        return;
    }
    out << file << ": refused\n";
    for (const ErrorDetail& detail : status.error().details) {
        out << "  " << detail.path << ": " << detail.message << '\n';
    }
    if (status.error().details.empty()) out << "  " << status.error().detail << '\n';
}

Status check(const std::string& file, const ValidateDefinitions& command, const Context& context) {
    const Result<json::Value> definition = read_json(context.console, file);
    if (!definition) return definition.error();
    return context.local.check_definition(*definition, command.allow_unknown_fields);
}

}  // namespace

int execute(const ValidateDefinitions& command, const Context& context) {
    int exit_code = succeeded;
    for (const std::string& file : command.files) {
        const Status status = check(file, command, context);
        if (!status && status.error().code == ErrorCode::not_found) {
            exit_code = std::max(exit_code, fail(context, misused, status.error().detail));
            continue;
        }
        if (!status) exit_code = std::max<int>(exit_code, refused);
        if (!print_document(context, verdict(file, status))) {
            print(context.console.out, file, status);
        }
    }
    return exit_code;
}

}  // namespace millrace::cli
