#include "api/rest/event_streams.hpp"

#include "api/rest/event_stream.hpp"

namespace millrace::rest {

EventStreams::EventStreams(QueryQueue& queries, InstanceWatch& watch, const Clock& clock,
                           Config config, std::function<void()> wake)
    : queries_(queries), watch_(watch), clock_(clock), config_(config), wake_(std::move(wake)) {}

EventStreams::~EventStreams() = default;

void EventStreams::open(const InstanceKey& key, EventPlace from, const http::Responder& respond) {
    const auto stream = std::make_shared<EventStream>(key, from, respond, queries_, clock_);
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
    }
    if (open.empty()) return std::nullopt;
    return config_.round;
}

}  // namespace millrace::rest
