#include "cli/diff_definition.hpp"

#include <algorithm>
#include <ostream>

#include "base/json/parse.hpp"
#include "cli/colour.hpp"
#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/print_document.hpp"
#include "cli/read_input.hpp"
#include "cli/readable_json.hpp"
#include "cli/text_diff.hpp"
#include "millrace/client/client.hpp"

namespace millrace::cli {
namespace {

Colour colour_of_line(const std::string& line) {
    switch (line.front()) {
        case '+': return Colour::green;
        case '-': return Colour::red;
        case '@': return Colour::cyan;
        default: return Colour::none;
    }
}

void print_lines(const Console& console, const std::vector<std::string>& lines) {
    for (const std::string& line : lines) {
        console.out << coloured(console, colour_of_line(line), line) << '\n';
    }
}

// In the form in which they are compared.
std::string compared_text(const Context& context, const json::Value& definition) {
    const Result<json::Value> canonical =
        json::parse(context.local.canonical_definition(definition));
    return pretty(canonical ? *canonical : definition);
}

// What the server has; empty when it has none.
client::Result<std::string> text_on_server(client::Client& client, const std::string& id,
                                           const Context& context) {
    const client::Result<json::Value> latest = client.get_definition(id);
    if (latest) return compared_text(context, *latest);
    if (latest.error().status == 404) return std::string();
    return latest.error();
}

int diff(client::Client& client, const std::string& file, const Context& context) {
    const Result<json::Value> local = read_json(context.console, file);
    if (!local) return fail(context, misused, local.error().detail);
    const std::string id(client::Document(*local).text("id"));
    if (id.empty()) return fail(context, misused, file + ": There is no id to look for.");
    const client::Result<std::string> remote = text_on_server(client, id, context);
    if (!remote) return fail(context, remote.error());

    const std::vector<std::string> lines = unified_diff(*remote, compared_text(context, *local));
    json::Value report = json::Object{};
    report.set("file", file);
    report.set("id", id);
    report.set("different", !lines.empty());
    json::Array diff_lines;
    for (const std::string& line : lines) diff_lines.emplace_back(line);
    report.set("lines", std::move(diff_lines));
    if (!print_document(context, report) && !lines.empty()) {
        const std::string server = remote->empty() ? "not on the server" : "on the server";
        print_lines(context.console, {"--- " + id + " " + server, "+++ " + file});
        print_lines(context.console, lines);
    }
    return lines.empty() ? succeeded : refused;
}

}  // namespace

int execute(const DiffDefinition& command, const Context& context) {
    client::Client client(context.server);
    int exit_code = succeeded;
    for (const std::string& file : command.files) {
        exit_code = std::max(exit_code, diff(client, file, context));
        if (exit_code == no_answer) break;
    }
    return exit_code;
}

}  // namespace millrace::cli
