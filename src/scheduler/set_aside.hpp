#pragma once

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>

#include "base/result.hpp"
#include "base/time.hpp"

namespace millrace {

// The due rows of one loop that could not be done: each has a time before which it is not tried
// again, so that what fails holds nobody else up. In memory: another process tries for itself.
// Belongs to one thread at a time.
template <class Key>
class SetAside {
public:
    // How often the row has failed in a row.
    int add(const Key& key, const Error& error, Instant now) {
        Entry& entry = entries_[key];
        entry.failures += 1;
        entry.until = now + pause_after(error, entry.failures);
        return entry.failures;
    }

    void remove(const Key& key) { entries_.erase(key); }

    bool is_resting(const Key& key, Instant now) const {
        const auto found = entries_.find(key);
        return found != entries_.end() && found->second.until > now;
    }

    // When the next of them has rested.
    std::optional<Instant> next_at(Instant now) const {
        std::optional<Instant> next;
        for (const auto& [key, entry] : entries_) {
            if (entry.until > now) next = std::min(next.value_or(entry.until), entry.until);
        }
        return next;
    }

    // Forgets those that are no longer due.
    template <class IsDue>
    void keep(const IsDue& is_due) {
        std::erase_if(entries_, [&](const auto& each) { return !is_due(each.first); });
    }

    std::size_t size() const { return entries_.size(); }

private:
    struct Entry {
        int failures = 0;
        Instant until{};
    };

    // A store that is away comes back for all at once. Everything else is the row's own trouble.
    static Duration pause_after(const Error& error, int failures) {
        constexpr Duration kFirst = std::chrono::seconds{1};
        constexpr Duration kMost = std::chrono::hours{1};
        const bool is_away = is_store_down(error) || error.code == ErrorCode::commit_unknown;
        if (is_away) return kFirst;
        return std::min(kMost, kFirst * (std::int64_t{1} << std::min(failures - 1, 12)));
    }

    std::map<Key, Entry> entries_;
};

}  // namespace millrace
