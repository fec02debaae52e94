#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string_view>
#include <utility>

namespace millrace::http {

// What the end of a stream means, and so what becomes of it when the server stops or the client
// says that it will send nothing more.
enum class StreamKind {
    // Only complete with its end(). It is sent on until the server's patience is over; cut off, it
    // has no end that a client could take for one.
    whole,
    // May end at any time, like a stream of events. Ended when the server stops, and when the
    // client closes its side.
    endless,
};

// Why a stream has ended, for protocols that can say it.
enum class StreamEnd {
    complete,
    // Its reader may see no more of it: the key was revoked, or has expired. Over HTTP/1.1 nothing
    // can be said behind a body: whoever asks again is told.
    unauthenticated,
};

// The body of an answer that is given piece by piece. Thread-safe.
class StreamBody {
public:
    virtual ~StreamBody() = default;

    // False when the stream is over: the bytes go nowhere. A client that is so far behind that
    // more than limits::kStreamBytesBehindMax wait already is cut off.
    virtual bool write(std::string_view bytes) = 0;

    // All has been written. Only the first call counts.
    virtual void end(StreamEnd why) = 0;

    virtual bool is_open() const = 0;

    // How much waits for the client to read it. What the operating system has taken is not counted.
    virtual std::size_t buffered() const = 0;

    // The hook is called, once, when all that was written is with the operating system, or the
    // stream is over. A later hook replaces an earlier one.
    virtual void on_drained(std::function<void()> hook) = 0;

    // The hook is called, at most once, when the stream is over before its sender has ended it; at
    // once when it is over already. A later hook replaces an earlier one.
    virtual void on_closed(std::function<void()> hook) = 0;
};

// What the sender of a stream keeps. May be copied. When the last copy dies without end(), the
// client is cut off, so that it does not take the part for the whole. Hooks are called by the
// connection's thread: they hand over or write, and return.
class ResponseStream {
public:
    explicit ResponseStream(std::shared_ptr<StreamBody> body) : body_(std::move(body)) {}

    bool write(std::string_view bytes) const { return body_->write(bytes); }
    void end(StreamEnd why = StreamEnd::complete) const { body_->end(why); }
    bool is_open() const { return body_->is_open(); }
    std::size_t buffered() const { return body_->buffered(); }
    void on_drained(std::function<void()> hook) const { body_->on_drained(std::move(hook)); }
    void on_closed(std::function<void()> hook) const { body_->on_closed(std::move(hook)); }

private:
    std::shared_ptr<StreamBody> body_;
};

}  // namespace millrace::http
