#include "engine/audit_line.hpp"

#include <algorithm>
#include <iterator>

namespace millrace {

namespace {

std::string id_text_of(const AuditEntry& entry) {
    return to_string(entry.key.id.value);
}

std::string id_text_of(const JobAuditEntry& entry) {
    return to_string(entry.job.id.value) + ":" + std::to_string(entry.lease_token) + ":" +
           std::string(to_string(entry.kind));
}

}  // namespace

Instant at_of(const AuditLine& line) {
    return std::visit([](const auto& each) { return each.at; }, line);
}

std::string id_text(const AuditLine& line) {
    return std::visit([](const auto& each) { return id_text_of(each); }, line);
}

std::vector<AuditLine> in_order(std::vector<AuditEntry> entries, std::vector<JobAuditEntry> jobs) {
    std::ranges::sort(entries, {}, &AuditEntry::key);
    std::vector<AuditLine> lines;
    std::ranges::move(entries, std::back_inserter(lines));
    std::ranges::move(jobs, std::back_inserter(lines));
    std::ranges::stable_sort(lines, {}, at_of);
    return lines;
}

}  // namespace millrace
