#include "cli/show_queue.hpp"

#include "cli/age_text.hpp"
#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/limit_text.hpp"
#include "cli/print_document.hpp"
#include "cli/table.hpp"
#include "millrace/client/client.hpp"

namespace millrace::cli {
namespace {

std::string count_of(const client::Document& counts, std::string_view name) {
    return std::to_string(counts.integer(name));
}

// The server takes a pause for a limit of 0, which would read as if something were wrong.
std::string slots_of(const client::Queue& queue) {
    const bool is_limited = !queue.is_paused() && !queue.limits().value("maxActive").is_null();
    return std::to_string(queue.active()) +
           (is_limited ? " of " + limit_text(queue.limits(), "maxActive") : "");
}

// How long the first in line has waited.
std::string age_of(const client::Queue& queue) {
    const json::Value& age = queue.value("oldestAgeSeconds");
    if (const double* seconds = age.if_number()) return age_text(*seconds);
    const std::int64_t* seconds = age.if_integer();
    return seconds == nullptr ? "" : age_text(static_cast<double>(*seconds));
}

void show_one(const Context& context, const client::Queue& queue) {
    if (print_document(context, queue.json())) return;
    const client::Document limits = queue.limits();
    const client::Document places = queue.places();
    const client::Document statuses = queue.queue_statuses();
    const Rows rows{
        {"workspace", std::string(queue.workspace_id())},
        {"paused", queue.is_paused() ? "yes" : "no"},
        {"slots used", slots_of(queue)},
        {"in line", count_of(places, "READY")},
        {"parked by key", count_of(places, "PARKED")},
        {"due later", count_of(places, "DUE")},
        {"claimed", count_of(statuses, "CLAIMED")},
        {"dispatched", count_of(statuses, "DISPATCHED")},
        {"dead letters", std::to_string(queue.dead_letters())},
        {"counts", queue.counts_capped() ? "some are larger than they say" : ""},
        {"oldest waits", age_of(queue)},
        {"waits since", std::string(queue.oldest_waiting_since())},
        {"max per key", limit_text(limits, "maxPerKey")},
        {"rate per second", limit_text(limits, "ratePerSecond")},
        {"max attempts", limit_text(limits, "maxAttempts")},
        {"weight", limit_text(limits, "weight")},
    };
    print_facts(context.console, rows);
}

void show_all(const Context& context, const std::vector<client::Queue>& queues) {
    Rows rows{{"WORKSPACE", "STATE", "SLOTS USED", "IN LINE", "PARKED", "DUE", "DEAD LETTERS",
               "OLDEST WAITS"}};
    for (const client::Queue& queue : queues) {
        const client::Document places = queue.places();
        rows.push_back({std::string(queue.workspace_id()), queue.is_paused() ? "PAUSED" : "OPEN",
                        slots_of(queue), count_of(places, "READY"), count_of(places, "PARKED"),
                        count_of(places, "DUE"), std::to_string(queue.dead_letters()),
                        age_of(queue)});
    }
    print_table(context.console, rows);
}

}  // namespace

int execute(const ShowQueue& command, const Context& context) {
    client::Client client(context.server);
    const std::string& named = context.server.workspace;
    if (!named.empty()) {
        const client::Result<client::Queue> queue = client.get_queue(named);
        if (!queue) return fail(context, queue.error());
        show_one(context, *queue);
        return succeeded;
    }
    const auto workspaces = collect<client::Workspace>(
        context, command.limit,
        [&](const client::Paging& paging) { return client.list_workspaces(paging); });
    if (!workspaces) return fail(context, workspaces.error());
    std::vector<client::Queue> queues;
    for (const client::Workspace& workspace : workspaces->items) {
        client::Result<client::Queue> queue = client.get_queue(workspace.id());
        // It may have been deleted meanwhile.
        if (!queue && queue.error().status == 404) continue;
        if (!queue) return fail(context, queue.error());
        queues.push_back(std::move(*queue));
    }
    if (!print_list(context, queues, workspaces->total)) show_all(context, queues);
    return succeeded;
}

}  // namespace millrace::cli
