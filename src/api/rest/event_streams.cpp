#include "api/rest/event_streams.hpp"

#include "api/rest/event_stream.hpp"

namespace millrace::rest {

EventStreams::EventStreams(QueryQueue& queries, InstanceWatch& watch, access::KeyCache& keys,
                           const Clock& clock, Config config, std::function<void()> wake)
    : queries_(queries),
      watch_(watch),
      keys_(keys),
      clock_(clock),
      config_(config),
      wake_(std::move(wake)) {}

EventStreams::~EventStreams() = default;

void EventStreams::open(const InstanceKey& key, EventPlace from,
                        std::shared_ptr<const Principal> follower, const http::Responder& respond) {
    const auto stream =
        std::make_shared<EventStream>(key, from, std::move(follower), respond, queries_, clock_);
    {
        const MutexLock lock(mutex_);
        streams_.push_back(stream);
    }
    stream->watch(watch_);
    stream->refresh();
    wake_();
}

std::optional<Duration> EventStreams::run_once() {
    std::vector<std::shared_ptr<EventStream>> open;
    {
        const MutexLock lock(mutex_);
        std::erase_if(streams_, [&open](const std::weak_ptr<EventStream>& each) {
            auto stream = each.lock();
            if (stream == nullptr || !stream->is_open()) return true;
            open.push_back(std::move(stream));
            return false;
        });
    }
    for (const auto& stream : open) {
        config_.is_shared ? stream->refresh() : stream->make_up();
        stream->keep_alive(config_.keep_alive);
        check_key_of(stream);
    }
    if (open.empty()) return std::nullopt;
    return config_.round;
}

// While the store does not answer, nobody is sent away: the key was good when it was last seen.
void EventStreams::check_key_of(const std::shared_ptr<EventStream>& stream) {
    const Principal* follower = stream->follower().get();
    if (follower == nullptr || follower->credential != Credential::key) return;
    keys_.find(follower->key_id,
               [stream, &clock = clock_](const Result<access::KnownKeyPtr>& known) {
                   if (!known) return;
                   const bool is_welcome = *known && is_good((*known)->key, clock.now());
                   if (!is_welcome) stream->send_away();
               });
}

}  // namespace millrace::rest
