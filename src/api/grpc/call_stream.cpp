#include <utility>

#include "api/grpc/buffers.hpp"
#include "api/grpc/call.hpp"

namespace millrace::rpc {

namespace {

// A client takes OK for the end of what it follows.
CallStatus status_at_end(http::StreamEnd why, std::string_view request_id) {
    switch (why) {
        case http::StreamEnd::complete: return {};
        case http::StreamEnd::unauthenticated: break;
    }
    const Error error{ErrorCode::unauthenticated, "The API key is no longer good."};
    return status_of(error, request_id);
}

}  // namespace

// What comes first begins the stream; another stream of the same call is one too many.
void Call::go_on(const std::shared_ptr<http::StreamChannel>& stream) {
    bool is_first = false;
    bool is_other = false;
    {
        const MutexLock lock(mutex_);
        is_first = !is_ended_ && stream_ == nullptr && !stream->is_begun;
        if (is_first) stream_ = stream;
        is_other = stream_ != stream;
    }
    if (is_other) return stream->close();
    if (is_first && !begin_stream(*stream)) return;
    stream_on(*stream);
}

bool Call::begin_stream(http::StreamChannel& stream) {
    stream.is_begun = true;
    replies_ = served_.method.reply_stream();
    if (replies_ == nullptr) {
        end({.code = Code::internal, .message = "This rpc does not answer with a stream."});
        return false;
    }
    return take_replies(stream.head().body) && !(calls_.is_draining() && end_endless(stream));
}

// Takes once what there is, when all that was taken before is written.
void Call::stream_on(http::StreamChannel& stream) {
    if (write_next()) return;
    if (stream.is_cut_off()) {
        return end({.code = Code::unavailable,
                    .message = "The stream was cut off. Ask again, and read faster."});
    }
    stream.note_written();
    const http::StreamChannel::Piece piece = stream.take();
    if (!take_replies(piece.bytes)) return;
    if (!write_next() && piece.is_end) end(status_at_end(piece.why, trail_.request_id));
}

bool Call::take_replies(std::string_view bytes) {
    Result<std::vector<std::string>> replies = replies_->take(bytes);
    if (!replies) {
        end({.code = Code::internal, .message = "The stream cannot be shown."},
            replies.error().detail);
        return false;
    }
    for (std::string& reply : *replies) unwritten_.push_back(std::move(reply));
    return true;
}

// True while something is being written.
bool Call::write_next() {
    const MutexLock lock(mutex_);
    if (is_writing_ || is_ended_) return true;
    if (unwritten_.empty()) return false;
    is_writing_ = true;
    writing_since_ = calls_.service().clock().now();
    reply_ = buffer_of(std::move(unwritten_.front()));
    unwritten_.pop_front();
    StartWrite(&reply_);  // With the lock: after the end of the call nothing is written.
    return true;
}

void Call::OnWriteDone(bool is_ok) {
    std::shared_ptr<http::StreamChannel> stream;
    {
        const MutexLock lock(mutex_);
        is_writing_ = false;
        writing_since_.reset();
        stream = stream_;
    }
    if (stream == nullptr) return;
    if (is_ok) return mailbox_->put({.call = shared_from_this(), .stream = std::move(stream)});
    end({.code = Code::cancelled, .message = "The client is gone."});
}

bool Call::end_endless(const http::StreamChannel& stream) {
    if (stream.kind() != http::StreamKind::endless) return false;
    end({.code = Code::unavailable, .message = "The server is stopping."});
    return true;
}

}  // namespace millrace::rpc
