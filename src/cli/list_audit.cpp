#include "cli/list_audit.hpp"

#include <ostream>

#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/print_document.hpp"
#include "cli/readable_json.hpp"
#include "cli/table.hpp"
#include "millrace/client/client.hpp"

namespace millrace::cli {
namespace {

std::string actor_of(const client::AuditEntry& entry) {
    const client::Document actor = entry.actor();
    for (const std::string_view member : {"name", "keyId", "type"}) {
        if (!actor.text(member).empty()) return std::string(actor.text(member));
    }
    return {};
}

}  // namespace

int execute(const ListAudit& command, const Context& context) {
    client::Client client(context.server);
    bool is_enabled = true;
    const auto fetch =
        [&](const client::Paging& paging) -> client::Result<client::Page<client::AuditEntry>> {
        client::ListAudit query = command.query;
        query.paging = paging;
        client::Result<client::AuditPage> page = client.list_audit(query);
        if (!page) return page.error();
        is_enabled = page->enabled;
        return std::move(static_cast<client::Page<client::AuditEntry>&>(*page));
    };
    const auto entries = collect<client::AuditEntry>(context, command.limit, fetch);
    if (!entries) return fail(context, entries.error());
    if (!is_enabled && context.output == OutputFormat::table) {
        context.console.err << "The server notes nothing now: it runs with audit switched off "
                               "(MILLRACE_AUDIT=false).\n";
    }
    if (print_list(context, entries->items, entries->total)) return succeeded;
    Rows rows{{"AT", "KIND", "ACTOR", "INSTANCE", "SUBJECT", "DETAILS"}};
    for (const client::AuditEntry& entry : entries->items) {
        rows.push_back({std::string(entry.at()), std::string(entry.kind()), actor_of(entry),
                        std::string(entry.instance_id()), std::string(entry.subject()),
                        entry.details().is_null() ? "" : readable(entry.details())});
    }
    print_table(context.console, rows);
    return succeeded;
}

}  // namespace millrace::cli
