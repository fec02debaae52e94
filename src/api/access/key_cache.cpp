#include "api/access/key_cache.hpp"

#include <optional>
#include <utility>

#include "core/limits.hpp"
#include "engine/get_api_key.hpp"

namespace millrace::access {

KeyCache::KeyCache(QueryQueue& queries, const Clock& clock)
    : queries_(queries), clock_(clock), entries_(limits::kApiKeysCachedMax) {}

void KeyCache::find(const std::string& id, Done done) {
    std::optional<KnownKeyPtr> known;
    bool must_read = false;
    {
        const MutexLock lock(mutex_);
        const Instant now = clock_.now();
        const Entry* entry = entries_.find(id);
        // A clock that was set back makes it old.
        const Duration age =
            entry == nullptr || entry->read_at > now ? limits::kApiKeyStale : now - entry->read_at;
        if (age < limits::kApiKeyStale) known = entry->key;
        if (age >= limits::kApiKeyFresh) {
            const auto [reading, is_new] = reading_.try_emplace(id);
            must_read = is_new;
            if (is_new) reading->second.begun_at = now;
            if (!known) reading->second.waiting.push_back(std::move(done));
        }
    }
    if (must_read) read(id);
    if (known) done(std::move(*known));
}

bool KeyCache::has_seen(const std::string& id) {
    const MutexLock lock(mutex_);
    const Entry* entry = entries_.find(id);
    return entry != nullptr && entry->key != nullptr;
}

void KeyCache::forget(const std::string& id) {
    const MutexLock lock(mutex_);
    entries_.erase(id);
    const auto reading = reading_.find(id);
    if (reading != reading_.end()) reading->second.is_outdated = true;
}

void KeyCache::read(const std::string& id) {
    queries_.submit(GetApiKey{id},
                    [this, id](const Result<std::optional<ApiKey>>& found) { finish(id, found); });
}

void KeyCache::finish(const std::string& id, const Result<std::optional<ApiKey>>& found) {
    KnownKeyPtr key;
    if (found && *found) {
        key = std::make_shared<const KnownKey>(KnownKey{**found, principal_of(**found)});
    }
    std::vector<Done> waiting;
    bool must_read = false;
    {
        const MutexLock lock(mutex_);
        const auto reading = reading_.find(id);
        must_read = found && std::exchange(reading->second.is_outdated, false);
        if (must_read) {
            reading->second.begun_at = clock_.now();
        } else {
            waiting = std::move(reading->second.waiting);
            if (found) entries_.put(id, {key, reading->second.begun_at});
            reading_.erase(reading);
        }
    }
    if (must_read) return read(id);
    for (const Done& done : waiting) found ? done(key) : done(found.error());
}

}  // namespace millrace::access
