#pragma once

#include <memory>
#include <optional>
#include <string>

#include "api/http/exchange.hpp"
#include "base/clock.hpp"
#include "base/mutex.hpp"
#include "core/access/principal.hpp"
#include "engine/instance_events.hpp"
#include "engine/instance_watch.hpp"
#include "engine/query_queue.hpp"

namespace millrace::rest {

// One client that follows an instance. Reads the history whenever it may have changed and sends
// what is new. Kept alive by the hooks of its connection. Thread-safe.
class EventStream : public std::enable_shared_from_this<EventStream> {
public:
    EventStream(InstanceKey key, EventPlace from, std::shared_ptr<const Principal> follower,
                http::Responder respond, QueryQueue& queries, const Clock& clock)
        : key_(key),
          follower_(std::move(follower)),
          respond_(std::move(respond)),
          queries_(queries),
          clock_(clock),
          place_(from) {}

    // First thing: so that no change is missed between reading and watching.
    void watch(InstanceWatch& watch);

    // Looks for news. While it looks, further calls make it look once more.
    void refresh();
    // Looks again if the last look has failed.
    void make_up();
    void keep_alive(Duration after);
    bool is_open();

    // Null where nobody is asked for a key.
    const std::shared_ptr<const Principal>& follower() const { return follower_; }
    // Ends what was begun: the follower may see no more. Over HTTP/1.1 only asking
    // again says so.
    void send_away();

private:
    // What goes out, once the lock is gone: a stream that is over calls back from its write.
    struct News {
        std::optional<http::ResponseStream> stream{};
        std::string text{};
        bool is_last = false;
    };

    void look();
    void begin();
    void take(const Result<InstanceHistory>& history);
    News news_of(const InstanceHistory& history) MILLRACE_REQUIRES(mutex_);
    void leave();

    const InstanceKey key_;
    const std::shared_ptr<const Principal> follower_;
    // Until it has answered: the connection would keep itself alive by it. Only the look that is
    // under way uses it.
    std::optional<http::Responder> respond_;
    QueryQueue& queries_;
    const Clock& clock_;

    Mutex mutex_;
    std::shared_ptr<void> watching_ MILLRACE_GUARDED_BY(mutex_);
    std::optional<http::ResponseStream> stream_ MILLRACE_GUARDED_BY(mutex_);  // Once it is begun.
    EventPlace place_ MILLRACE_GUARDED_BY(mutex_);
    std::string shown_ MILLRACE_GUARDED_BY(mutex_);  // The instance as it was sent last.
    Instant sent_at_ MILLRACE_GUARDED_BY(mutex_){};
    bool is_looking_ MILLRACE_GUARDED_BY(mutex_) = false;
    bool looks_again_ MILLRACE_GUARDED_BY(mutex_) = false;
    bool has_missed_ MILLRACE_GUARDED_BY(mutex_) = false;  // The last look has failed.
    bool is_over_ MILLRACE_GUARDED_BY(mutex_) = false;
};

}  // namespace millrace::rest
