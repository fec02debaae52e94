#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "api/access/lru_map.hpp"
#include "base/clock.hpp"
#include "base/mutex.hpp"
#include "core/access/principal.hpp"
#include "engine/query_queue.hpp"

namespace millrace::access {

struct KnownKey {
    ApiKey key{};
    Principal principal{};
};

// Null: there is no such key.
using KnownKeyPtr = std::shared_ptr<const KnownKey>;

// What was read of keys a moment ago, so that not every request asks the store. Whatever changes in
// this process is seen at once (`renew`), what changes elsewhere after kApiKeyStale at the latest.
// That a key does not exist is remembered, too, apart from those that do: made-up ids push out no
// key. Thread-safe.
class KeyCache {
public:
    using Done = std::function<void(Result<KnownKeyPtr>)>;

    KeyCache(QueryQueue& queries, const Clock& clock);

    // Calls `done` once: at once when it is remembered, else on a reader's thread. unavailable: the
    // store does not answer.
    void find(const std::string& id, Done done);

    // Whether a key of that id existed when it was last looked at, however long ago.
    bool has_seen(const std::string& id);

    // The key has come, gone or changed: reads it again.
    void renew(const std::string& id);

    // Sees every key of the store that is good, as far as there is room, so that none is a stranger
    // on its first request. What is known of them is still read when they come.
    Status see_all(Reader& reader);
    // The same on a reader's thread, at most every kApiKeysSeenAgain: somebody names a key that may
    // have come unheard.
    void see_all_soon();

private:
    struct Entry {
        KnownKeyPtr key{};
        Instant read_at{};
    };
    // A question under way and who waits for its answer.
    struct Reading {
        Instant begun_at{};
        bool is_outdated = false;  // The key has changed since.
        std::vector<Done> waiting{};
    };

    const Entry* find_entry(const std::string& id) MILLRACE_REQUIRES(mutex_);
    void see(const std::vector<ApiKey>& keys, Instant now);
    void read(const std::string& id);
    void finish(const std::string& id, const Result<std::optional<ApiKey>>& found);

    QueryQueue& queries_;
    const Clock& clock_;
    Mutex mutex_;
    LruMap<Entry> entries_ MILLRACE_GUARDED_BY(mutex_);
    LruMap<Entry> absent_ MILLRACE_GUARDED_BY(mutex_);  // Ids of no key.
    Instant all_seen_at_ MILLRACE_GUARDED_BY(mutex_){};
    std::map<std::string, Reading> reading_ MILLRACE_GUARDED_BY(mutex_);
};

}  // namespace millrace::access
