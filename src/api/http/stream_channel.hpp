#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "api/http/message.hpp"
#include "api/http/response_stream.hpp"
#include "base/mutex.hpp"

namespace millrace::http {

// Between the sender of a stream, on any thread, and the connection that it goes to. The connection
// takes what has gathered whenever it has written all that it took before, so that a slow client's
// bytes gather here, where they are counted.
class StreamChannel : public std::enable_shared_from_this<StreamChannel> {
public:
    // Makes the connection look at this stream, soon; on any thread.
    using Wake = std::function<void(std::shared_ptr<StreamChannel> stream)>;

    StreamChannel(HttpResponse head, StreamKind kind, Wake wake);

    // For the sender; see StreamBody.
    bool write(std::string_view bytes);
    void end(StreamEnd why = StreamEnd::complete);
    void abandon();  // The sender is gone; without end() before, the client is cut off.
    bool is_open() const;
    std::size_t buffered() const;
    void on_drained(std::function<void()> hook);
    void on_closed(std::function<void()> hook);

    // For the connection, all on its thread.
    struct Piece {
        std::string bytes{};
        bool is_end = false;
        StreamEnd why = StreamEnd::complete;
    };
    const HttpResponse& head() const { return head_; }
    StreamKind kind() const { return kind_; }
    Piece take();
    void note_written();  // What was taken is with the operating system.
    void close();         // The stream is over, whoever ended it. May be called again.
    bool is_cut_off() const;
    bool is_begun = false;  // Its head is on its way.

private:
    enum class State { open, ended, cut_off, closed };

    void wake();
    bool is_drained() const MILLRACE_REQUIRES(mutex_) {
        return pending_.empty() && taken_bytes_ == 0;
    }

    const HttpResponse head_;
    const StreamKind kind_;
    const Wake wake_;
    mutable Mutex mutex_;
    State state_ MILLRACE_GUARDED_BY(mutex_) = State::open;
    StreamEnd why_ MILLRACE_GUARDED_BY(mutex_) = StreamEnd::complete;  // Once it is ended.
    bool is_wake_under_way_ MILLRACE_GUARDED_BY(mutex_) = false;
    std::string pending_ MILLRACE_GUARDED_BY(mutex_);
    std::size_t taken_bytes_ MILLRACE_GUARDED_BY(mutex_) = 0;  // And not yet written.
    std::function<void()> on_drained_ MILLRACE_GUARDED_BY(mutex_);
    std::function<void()> on_closed_ MILLRACE_GUARDED_BY(mutex_);
};

// The sender's end of a channel; the connection holds none, so that the death of the last sender is
// noticed.
class ChannelSender final : public StreamBody {
public:
    explicit ChannelSender(std::shared_ptr<StreamChannel> channel) : channel_(std::move(channel)) {}
    ~ChannelSender() override { channel_->abandon(); }

    ChannelSender(const ChannelSender&) = delete;
    ChannelSender& operator=(const ChannelSender&) = delete;

    bool write(std::string_view bytes) override { return channel_->write(bytes); }
    void end(StreamEnd why) override { channel_->end(why); }
    bool is_open() const override { return channel_->is_open(); }
    std::size_t buffered() const override { return channel_->buffered(); }
    void on_drained(std::function<void()> hook) override { channel_->on_drained(std::move(hook)); }
    void on_closed(std::function<void()> hook) override { channel_->on_closed(std::move(hook)); }

private:
    const std::shared_ptr<StreamChannel> channel_;
};

}  // namespace millrace::http
