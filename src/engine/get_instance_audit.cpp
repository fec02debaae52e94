#include "engine/get_instance_audit.hpp"

#include <utility>

#include "core/limits.hpp"
#include "engine/find_instance.hpp"
#include "engine/stored_definition.hpp"

namespace millrace {

namespace {

// Up to kAuditOfInstanceMax items, page by page; `read_page(page)` gives a Listing.
template <class Item, class ReadPage, class IdOf>
Result<std::vector<Item>> read_all(ReadPage read_page, IdOf id_of) {
    std::vector<Item> items;
    Page page{.size = limits::kPageSizeMax};
    bool has_more = true;
    while (has_more && items.size() < limits::kAuditOfInstanceMax) {
        Result<Listing<Item>> listing = read_page(page);
        if (!listing) return listing.error();
        has_more = listing->has_more;
        for (Item& item : listing->items) items.push_back(std::move(item));
        if (has_more) page.after = to_string(id_of(items.back()));
    }
    return items;
}

std::int64_t bytes_of(const AuditLine& line) {
    const auto* entry = std::get_if<AuditEntry>(&line);
    return std::ssize(entry != nullptr ? entry->details : std::get<JobAuditEntry>(line).message);
}

// Where the latest begin that one answer may hold.
std::vector<AuditLine>::const_iterator first_shown(const std::vector<AuditLine>& lines) {
    auto first = lines.end();
    std::int64_t bytes = 0;
    while (first != lines.begin() && bytes < limits::kPageBytesMax &&
           std::cmp_less(lines.end() - first, limits::kAuditOfInstanceMax)) {
        --first;
        bytes += bytes_of(*first);
    }
    return first;
}

}  // namespace

// Jobs first: one that ends before the history is read is told by the history.
Result<std::vector<AuditLine>> read(const GetInstanceAudit& query, Reader& reader) {
    const JobFilter open{.workspace_id = query.key.workspace_id, .instance_id = query.key.id};
    const Result<std::vector<Job>> jobs =
        read_all<Job>([&](const Page& page) { return reader.jobs(open, page); },
                      [](const Job& job) { return job.key.id.value; });
    if (!jobs) return jobs.error();
    const Result<std::optional<InstanceHistory>> history = reader.history(query.key);
    if (!history) return history.error();
    if (!*history) return instance_not_found(query.key);
    const Result<DefinitionPtr> definition = stored_definition((*history)->instance, reader);
    if (!definition) return definition.error();

    const AuditFilter own{.workspace_id = query.key.workspace_id, .instance_id = query.key.id};
    Result<std::vector<AuditEntry>> entries =
        read_all<AuditEntry>([&](const Page& page) { return reader.audit(own, page); },
                             [](const AuditEntry& entry) { return entry.key.id.value; });
    if (!entries) return entries.error();
    std::vector<AuditLine> lines =
        in_order(std::move(*entries), job_audit(**history, *jobs, definition->get()));
    lines.erase(lines.begin(), first_shown(lines));
    return lines;
}

}  // namespace millrace
