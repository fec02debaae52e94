#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "api/access/key_cache.hpp"
#include "api/http/exchange.hpp"
#include "base/clock.hpp"
#include "base/mutex.hpp"
#include "engine/instance_events.hpp"
#include "engine/instance_watch.hpp"
#include "engine/query_queue.hpp"

namespace millrace::rest {

class EventStream;

// The clients that follow an instance (server-sent events). A commit of this process is told at
// once; on a store that others write to, each stream looks again on every round. Whoever follows
// with a key that is good no longer is sent away within a round of that being known. Thread-safe.
class EventStreams {
public:
    struct Config {
        bool is_shared = false;
        Duration round = std::chrono::seconds{1};
        Duration keep_alive = std::chrono::seconds{15};  // Proxies drop what is silent for longer.
    };

    // `wake` is called when run_once has to be, on any thread.
    EventStreams(QueryQueue& queries, InstanceWatch& watch, access::KeyCache& keys,
                 const Clock& clock, Config config, std::function<void()> wake);
    ~EventStreams();

    // Answers with the events of an instance from a place on; 404 when there is none. `follower` is
    // who asks, null where nobody is asked for a key.
    void open(const InstanceKey& key, EventPlace from, std::shared_ptr<const Principal> follower,
              const http::Responder& respond);

    // Keeps connections alive and looks for news, on a shared store, or where looking has failed.
    // When to call again; empty when nobody listens.
    std::optional<Duration> run_once();

private:
    void check_key_of(const std::shared_ptr<EventStream>& stream);

    QueryQueue& queries_;
    InstanceWatch& watch_;
    access::KeyCache& keys_;
    const Clock& clock_;
    const Config config_;
    std::function<void()> wake_;

    Mutex mutex_;
    std::vector<std::weak_ptr<EventStream>> streams_ MILLRACE_GUARDED_BY(mutex_);
};

}  // namespace millrace::rest
