#include "api/rest/event_stream.hpp"

#include "api/rest/answer.hpp"
#include "api/rest/wire_json.hpp"

namespace millrace::rest {

namespace {

void append_event(std::string& out, std::string_view type, std::string_view data) {
    out.append("event: ").append(type);
    out.append("\ndata: ").append(data).append("\n\n");
}

// Only steps have a place to go on from: the instance is sent anew to whoever connects.
void append_place(std::string& out, EventPlace place) {
    out.append("id: ").append(std::to_string(place.number())).append("\n");
}

http::HttpResponse stream_head() {
    return {
        .status = 200,
        .content_type = "text/event-stream",
        .headers = {{"Cache-Control", "no-store"}},
    };
}

}  // namespace

void EventStream::watch(InstanceWatch& watch) {
    auto watching = watch.watch(key_, [weak = weak_from_this()] {
        if (const auto self = weak.lock()) self->refresh();
    });
    const MutexLock lock(mutex_);
    watching_ = std::move(watching);
}

void EventStream::refresh() {
    {
        const MutexLock lock(mutex_);
        if (is_over_) return;
        looks_again_ = is_looking_;
        if (is_looking_) return;
        is_looking_ = true;
    }
    look();
}

void EventStream::make_up() {
    {
        const MutexLock lock(mutex_);
        if (!has_missed_) return;
    }
    refresh();
}

void EventStream::keep_alive(Duration after) {
    std::optional<http::ResponseStream> stream;
    {
        const MutexLock lock(mutex_);
        if (is_over_ || !stream_ || clock_.now() - sent_at_ < after) return;
        sent_at_ = clock_.now();
        stream = stream_;
    }
    stream->write(": keep-alive\n\n");
}

bool EventStream::is_open() {
    const MutexLock lock(mutex_);
    return !is_over_;
}

void EventStream::send_away() {
    std::optional<http::ResponseStream> stream;
    {
        const MutexLock lock(mutex_);
        if (is_over_ || !stream_) return;  // Not begun: the next round ends it.
        is_over_ = true;
        stream = stream_;
    }
    stream->end(http::StreamEnd::unauthenticated);
    leave();
}

void EventStream::look() {
    queries_.submit(GetInstanceHistory{key_},
                    [self = shared_from_this()](const Result<InstanceHistory>& history) {
                        self->take(history);
                    });
}

// Outside of the lock: a client that is gone already is told at once.
void EventStream::begin() {
    std::optional<http::ResponseStream> stream;
    {
        const MutexLock lock(mutex_);
        if (is_over_ || stream_) return;
        stream_ = stream = respond_->stream(stream_head(), http::StreamKind::endless);
    }
    respond_.reset();
    stream->on_closed([self = shared_from_this()] { self->leave(); });
}

void EventStream::take(const Result<InstanceHistory>& history) {
    if (history) begin();
    News news;
    bool is_over = false;
    bool looks_again = false;
    {
        const MutexLock lock(mutex_);
        if (is_over_) return;
        // Without an answer after the stream has begun, the next change, or round, asks again.
        has_missed_ = !history;
        if (history) news = news_of(*history);
        is_over_ = news.is_last || (!history && !stream_);
        is_over = is_over_;
    }
    // Nobody else sends events meanwhile: this look is still under way.
    if (!history && is_over) answer_error(*respond_, history.error());
    if (!news.text.empty()) news.stream->write(news.text);
    if (news.is_last) news.stream->end();
    if (is_over) return leave();
    {
        const MutexLock lock(mutex_);
        looks_again = !is_over_ && std::exchange(looks_again_, false);
        is_looking_ = looks_again;
    }
    if (looks_again) look();
}

EventStream::News EventStream::news_of(const InstanceHistory& history) {
    News news{.stream = stream_, .is_last = is_terminal(history.instance.status)};
    for (const StepEvent& event : events_since(history, place_)) {
        std::string data;
        append_step_execution(data, event.step);
        append_place(news.text, event.place);
        append_event(news.text, "step", data);
        place_ = event.place;
    }
    std::string shown;
    append_instance_state(shown, history.instance);
    if (shown != shown_) append_event(news.text, "instance", shown);
    shown_ = std::move(shown);
    if (!news.text.empty()) sent_at_ = clock_.now();
    return news;
}

// Lets go of what keeps this alive, outside of the lock: the last one to go takes it along.
void EventStream::leave() {
    std::shared_ptr<void> watching;
    std::optional<http::ResponseStream> stream;
    const MutexLock lock(mutex_);
    is_over_ = true;
    watching = std::move(watching_);
    stream = std::exchange(stream_, std::nullopt);
}

}  // namespace millrace::rest
