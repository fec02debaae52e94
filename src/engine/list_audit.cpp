#include "engine/list_audit.hpp"

#include <algorithm>

#include "engine/get_instance_audit.hpp"

namespace millrace {

namespace {

template <class Kind>
bool is_among(const std::vector<Kind>& kinds, Kind kind) {
    return std::ranges::find(kinds, kind) != kinds.end();
}

bool wants_all_kinds(const ListAudit& query) {
    return query.filter.kinds.empty() && query.job_kinds.empty();
}

bool matches(const ListAudit& query, const AuditEntry& entry) {
    const AuditFilter& filter = query.filter;
    return (wants_all_kinds(query) || is_among(filter.kinds, entry.kind)) &&
           (!filter.key_id || entry.actor.key_id == *filter.key_id);
}

// What workers do is not done by somebody's key.
bool matches(const ListAudit& query, const JobAuditEntry& entry) {
    return (wants_all_kinds(query) || is_among(query.job_kinds, entry.kind)) &&
           !query.filter.key_id;
}

bool matches(const ListAudit& query, const AuditLine& line) {
    const AuditFilter& filter = query.filter;
    return (!filter.since || at_of(line) >= *filter.since) &&
           (!filter.until || at_of(line) < *filter.until) &&
           std::visit([&](const auto& each) { return matches(query, each); }, line);
}

Result<Listing<AuditLine>> page_of(std::vector<AuditLine> lines, const Page& page) {
    auto first = lines.begin();
    if (!page.after.empty()) {
        first = std::ranges::find(lines, page.after, id_text);
        if (first == lines.end()) {
            return Error{ErrorCode::invalid_argument, "The place in the list is no line of it."};
        }
        ++first;
    }
    const auto skipped =
        std::min<std::int64_t>(std::int64_t{page.number} * page.size, lines.end() - first);
    first += skipped;
    const auto shown = std::min<std::int64_t>(page.size, lines.end() - first);
    return Listing<AuditLine>{
        .items = {first, first + shown},
        .total = std::ssize(lines),
        .has_more = first + shown != lines.end(),
    };
}

Result<Listing<AuditLine>> read_of_instance(const ListAudit& query, Reader& reader) {
    const InstanceKey key{*query.filter.instance_id, query.filter.workspace_id};
    Result<std::vector<AuditLine>> lines = read(GetInstanceAudit{key}, reader);
    if (!lines && lines.error().code == ErrorCode::not_found) return Listing<AuditLine>{};
    if (!lines) return lines.error();
    std::erase_if(*lines, [&](const AuditLine& line) { return !matches(query, line); });
    std::ranges::reverse(*lines);
    return page_of(std::move(*lines), query.page);
}

}  // namespace

Result<Listing<AuditLine>> read(const ListAudit& query, Reader& reader) {
    if (query.filter.instance_id) return read_of_instance(query, reader);
    // Only of jobs, which are shown with their instance.
    if (query.filter.kinds.empty() && !query.job_kinds.empty()) return Listing<AuditLine>{};
    Result<Listing<AuditEntry>> found = reader.audit(query.filter, query.page);
    // A filter that no store can keep matches nothing.
    if (!found && found.error().code == ErrorCode::data_refused) return Listing<AuditLine>{};
    if (!found) return found.error();
    return Listing<AuditLine>{
        .items = {found->items.begin(), found->items.end()},
        .total = found->total,
        .total_capped = found->total_capped,
        .has_more = found->has_more,
    };
}

}  // namespace millrace
