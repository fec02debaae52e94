#include "api/access/key_cache.hpp"

#include <optional>
#include <utility>

#include "core/limits.hpp"
#include "engine/get_api_key.hpp"

namespace millrace::access {

namespace {

struct SeeAll {
    KeyCache* cache = nullptr;
};

Status read(const SeeAll& query, Reader& reader) {
    return query.cache->see_all(reader);
}

KnownKeyPtr known_key(const ApiKey& key) {
    return std::make_shared<const KnownKey>(KnownKey{key, principal_of(key)});
}

}  // namespace

KeyCache::KeyCache(QueryQueue& queries, const Clock& clock)
    : queries_(queries),
      clock_(clock),
      entries_(limits::kApiKeysCachedMax),
      absent_(limits::kApiKeysCachedMax) {}

void KeyCache::find(const std::string& id, Done done) {
    std::optional<KnownKeyPtr> known;
    bool must_read = false;
    {
        const MutexLock lock(mutex_);
        const Instant now = clock_.now();
        const Entry* entry = find_entry(id);
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
    return entries_.find(id) != nullptr;
}

void KeyCache::renew(const std::string& id) {
    {
        const MutexLock lock(mutex_);
        entries_.erase(id);
        absent_.erase(id);
        const auto reading = reading_.find(id);
        if (reading != reading_.end()) reading->second.is_outdated = true;
    }
    find(id, [](const Result<KnownKeyPtr>&) {});
}

Status KeyCache::see_all(Reader& reader) {
    Page page{.size = limits::kPageSizeMax};
    for (std::size_t seen = 0; seen < limits::kApiKeysCachedMax;) {
        const Result<Listing<ApiKey>> keys = reader.api_keys({}, page);
        if (!keys) return keys.error();
        see(keys->items, clock_.now());
        if (!keys->has_more) break;
        seen += keys->items.size();
        page.after = keys->items.back().id;
    }
    return ok();
}

void KeyCache::see_all_soon() {
    {
        const MutexLock lock(mutex_);
        const Instant now = clock_.now();
        const bool is_recent =
            all_seen_at_ <= now && now - all_seen_at_ < limits::kApiKeysSeenAgain;
        if (is_recent) return;
        all_seen_at_ = now;
    }
    queries_.submit(SeeAll{this}, [](const Status&) {});
}

// Too old to be used from the beginning: a revocation that comes meanwhile is not overlooked.
void KeyCache::see(const std::vector<ApiKey>& keys, Instant now) {
    const MutexLock lock(mutex_);
    for (const ApiKey& key : keys) {
        if (entries_.size() == limits::kApiKeysCachedMax) return;
        if (!is_good(key, now) || entries_.find(key.id) != nullptr) continue;
        entries_.put(key.id, {known_key(key), Instant{}});
        absent_.erase(key.id);
    }
}

const KeyCache::Entry* KeyCache::find_entry(const std::string& id) {
    const Entry* entry = entries_.find(id);
    return entry != nullptr ? entry : absent_.find(id);
}

void KeyCache::read(const std::string& id) {
    queries_.submit(GetApiKey{id},
                    [this, id](const Result<std::optional<ApiKey>>& found) { finish(id, found); });
}

void KeyCache::finish(const std::string& id, const Result<std::optional<ApiKey>>& found) {
    const KnownKeyPtr key = found && *found ? known_key(**found) : nullptr;
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
            if (found) {
                (key ? entries_ : absent_).put(id, {key, reading->second.begun_at});
                (key ? absent_ : entries_).erase(id);
            }
            reading_.erase(reading);
        }
    }
    if (must_read) return read(id);
    for (const Done& done : waiting) found ? done(key) : done(found.error());
}

}  // namespace millrace::access
