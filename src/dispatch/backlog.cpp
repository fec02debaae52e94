#include "dispatch/backlog.hpp"

#include <algorithm>
#include <chrono>

namespace millrace {

namespace {

using namespace std::chrono_literals;

constexpr Duration kTrail = 5s;                  // Longer than a commit takes.
constexpr Duration kLookFromStartInterval = 1s;  // What a straggler waits at most.
constexpr std::size_t kTypesMax = 10'000;        // Names come from clients: forget them all.

}  // namespace

void Backlog::set_hinted(bool is_hinted) {
    is_hinted_ = is_hinted;
    for (auto& [type, entry] : entries_) entry.pause = pace_.first;
}

bool Backlog::may_have(const WaitingType& type) const {
    const Entry* entry = find(type);
    return entry == nullptr || entry->may_have;
}

void Backlog::note_waiting(const WaitingType& type) {
    Entry& entry = entries_[type];
    entry.may_have = true;
    entry.generation += 1;
    ready_[type.job_type].insert(type.workspace_id);
    if (Entry* of_all = find(anywhere(type.job_type))) {
        of_all->may_have = true;
        of_all->generation += 1;
    }
}

void Backlog::note_waiting_anywhere() {
    for (auto& [type, entry] : entries_) {
        entry.may_have = true;
        entry.generation += 1;
        entry.scanned_at.reset();
    }
}

bool Backlog::is_ready_anywhere(const JobType& type) const {
    return ready_.contains(type);
}

bool Backlog::is_scanned(const JobType& type) const {
    const Entry* entry = find(anywhere(type));
    return entry != nullptr && entry->scanned_at;
}

Instant Backlog::scan_again_at(const JobType& type) const {
    const Entry* entry = find(anywhere(type));
    if (entry == nullptr || !entry->scanned_at) return {};
    return *entry->scanned_at + (is_hinted_ ? pace_.hinted : pace_.most);
}

std::uint64_t Backlog::begin_scan(const JobType& type) {
    return entries_[anywhere(type)].generation;
}

void Backlog::note_scanned(const JobType& type, std::uint64_t generation,
                           std::set<WorkspaceId> found, Instant now) {
    Entry& of_all = entries_[anywhere(type)];
    of_all.scanned_at = now;
    for (const WorkspaceId& workspace_id : found) entries_[{workspace_id, type}].may_have = true;
    const auto known = ready_.find(type);
    if (of_all.generation != generation && known != ready_.end()) found.merge(known->second);
    if (found.empty()) {
        ready_.erase(type);
    } else {
        ready_[type] = std::move(found);
    }
}

std::int64_t Backlog::mark(const WaitingType& type, Instant now) {
    Entry& entry = entries_[type];
    while (!entry.claimed.empty() && entry.claimed.front().first + kTrail <= now) {
        entry.mark = std::max(entry.mark, entry.claimed.front().second);
        entry.claimed.pop_front();
    }
    return entry.mark;
}

bool Backlog::should_look_from_start(const WaitingType& type, Instant now) {
    Entry& entry = entries_[type];
    if (entry.mark == 0 || entry.looked_from_start_at + kLookFromStartInterval > now) return false;
    entry.looked_from_start_at = now;
    return true;
}

void Backlog::note_claimed(const WaitingType& type, std::int64_t seq_max, Instant now) {
    Entry& entry = entries_[type];
    entry.has_found = true;
    // One entry for each tenth of the trail is as exact as needed.
    if (!entry.claimed.empty() && entry.claimed.back().first + kTrail / 10 > now) {
        entry.claimed.back().second = std::max(entry.claimed.back().second, seq_max);
    } else {
        entry.claimed.emplace_back(now, seq_max);
    }
    if (Entry* of_all = find(anywhere(type.job_type))) of_all->has_found = true;
}

std::uint64_t Backlog::generation(const WaitingType& type) const {
    const Entry* entry = find(type);
    return entry == nullptr ? 0 : entry->generation;
}

void Backlog::note_empty(const WaitingType& type, std::uint64_t generation, Instant now) {
    if (this->generation(type) != generation) return;
    if (entries_.size() > kTypesMax) forget_all_but(type);
    Entry& entry = entries_[type];
    entry.may_have = false;
    entry.emptied_at = now;
    const bool is_quiet = !std::exchange(entry.has_found, false);
    entry.pause = is_quiet ? std::clamp(2 * entry.pause, pace_.first, pace_.most) : pace_.first;
    const auto workspaces = ready_.find(type.job_type);
    if (workspaces == ready_.end()) return;
    workspaces->second.erase(type.workspace_id);
    if (workspaces->second.empty()) ready_.erase(workspaces);
}

void Backlog::forget_all_but(const WaitingType& type) {
    Entry kept = std::move(entries_[type]);
    entries_.clear();
    ready_.clear();
    entries_.emplace(type, std::move(kept));
}

Instant Backlog::look_again_at(const WaitingType& type) const {
    const Entry* entry = find(type);
    if (entry == nullptr) return {};
    return entry->emptied_at + (is_hinted_ ? pace_.hinted : entry->pause);
}

Backlog::Entry* Backlog::find(const WaitingType& type) {
    const auto found = entries_.find(type);
    return found == entries_.end() ? nullptr : &found->second;
}

const Backlog::Entry* Backlog::find(const WaitingType& type) const {
    const auto found = entries_.find(type);
    return found == entries_.end() ? nullptr : &found->second;
}

}  // namespace millrace
