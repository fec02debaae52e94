#include "cli/show_workspace.hpp"

#include "cli/limit_text.hpp"
#include "cli/print_document.hpp"
#include "cli/table.hpp"

namespace millrace::cli {
namespace {

// What holds, and whether the workspace itself says so.
std::string limit_of(const client::Workspace& workspace, std::string_view name) {
    const json::Value& own = workspace.value(name);
    return own.is_null() ? limit_text(workspace.limits(), name) : readable(own) + " (its own)";
}

// The server takes a pause for a limit of 0.
std::string slots_of(const client::Workspace& workspace) {
    if (!workspace.is_paused()) return limit_of(workspace, "maxActive");
    const bool has_own = !workspace.value("maxActive").is_null();
    return (has_own ? limit_of(workspace, "maxActive") + ", " : "") + "0 while it is paused";
}

}  // namespace

void show_workspace(const Context& context, const client::Workspace& workspace) {
    if (print_document(context, workspace.json())) return;
    print_facts(context.console, {{"id", std::string(workspace.id())},
                                  {"name", std::string(workspace.name())},
                                  {"plan", std::string(workspace.plan())},
                                  {"paused", workspace.is_paused() ? "yes" : "no"},
                                  {"weight", std::to_string(workspace.weight())},
                                  {"max active", slots_of(workspace)},
                                  {"max per key", limit_of(workspace, "maxPerKey")},
                                  {"rate per second", limit_of(workspace, "ratePerSecond")},
                                  {"max attempts", limit_of(workspace, "maxAttempts")},
                                  {"created", std::string(workspace.created_at())},
                                  {"changed", std::string(workspace.changed_at())}});
}

}  // namespace millrace::cli
