#include <utility>

#include "api/grpc/call.hpp"
#include "api/grpc/connection.hpp"

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
    if (state_ == State::over) return stream->close();
    Connection& connection = stream_.connection();
    if (state_ == State::handling && !stream->is_begun) {
        begin_stream(stream);
    } else if (stream != channel_) {
        return stream->close();
    } else {
        stream_on();
    }
    connection.serve();
}

void Call::begin_stream(const std::shared_ptr<http::StreamChannel>& stream) {
    state_ = State::streaming;
    channel_ = stream;
    stream->is_begun = true;
    replies_ = served_.method.reply_stream();
    if (replies_ == nullptr) {
        return end({.code = Code::internal, .message = "This rpc does not answer with a stream."});
    }
    if (!send_replies(stream->head().body)) return;
    if (calls_.is_draining() && end_endless()) return;
    stream_on();
}

// Takes once what there is, when all that was taken before is written.
void Call::stream_on() {
    if (state_ != State::streaming || stream_.has_unsent()) return;
    if (channel_->is_cut_off()) {
        return end({.code = Code::unavailable,
                    .message = "The stream was cut off. Ask again, and read faster."});
    }
    channel_->note_written();
    const http::StreamChannel::Piece piece = channel_->take();
    if (!send_replies(piece.bytes)) return;
    if (piece.is_end) end(status_at_end(piece.why, trail_.request_id));
}

void Call::on_written() {
    if (state_ == State::streaming) stream_on();
}

bool Call::send_replies(std::string_view bytes) {
    const Result<std::vector<std::string>> replies = replies_->take(bytes);
    if (!replies) {
        end({.code = Code::internal, .message = "The stream cannot be shown."},
            replies.error().detail);
        return false;
    }
    for (const std::string& reply : *replies) stream_.send(reply);
    return true;
}

bool Call::end_endless() {
    if (channel_->kind() != http::StreamKind::endless) return false;
    end({.code = Code::unavailable, .message = "The server is stopping."});
    return true;
}

}  // namespace millrace::rpc
