#include "api/grpc/stream.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "api/grpc/connection.hpp"

namespace millrace::rpc {

namespace {

CallStatus refusal_of(MessageReader::Trouble trouble) {
    if (trouble == MessageReader::Trouble::compressed) {
        return {.code = Code::unimplemented, .message = "Messages must not be compressed."};
    }
    return {.code = Code::resource_exhausted,
            .message =
                "The message has more than " + std::to_string(limits::kBodyBytesMax) + " bytes."};
}

}  // namespace

void Stream::read_on() {
    is_reading_ = true;
    take_messages();
}

void Stream::send(std::string_view message) {
    if (trailers_) return;
    if (!has_unsent()) moved_at_ = connection_.loop().service().clock().now();
    output_ += framed(message);
    connection_.begin_answer(*this);
}

void Stream::finish(const CallStatus& status, const Fields& notes) {
    if (trailers_) return;
    if (!has_unsent()) moved_at_ = connection_.loop().service().clock().now();
    trailers_ = trailers_of(status, notes);
    talk_.reset();
    connection_.begin_answer(*this);
}

void Stream::take_input(std::string_view bytes) {
    unacknowledged_ += bytes.size();
    reader_.feed(bytes);
    take_messages();
}

// A talk that answers may end itself, so it is kept as long as it is called.
void Stream::take_messages() {
    if (!is_reading_ || is_taking_) return;
    is_taking_ = true;
    while (const auto talk = talk_) {
        if (reader_.trouble() != MessageReader::Trouble::none) {
            talk->on_bad_message(refusal_of(reader_.trouble()));
            break;
        }
        if (const auto length = reader_.length(); length && !talk->has_room_for(*length)) break;
        std::optional<std::string> message = reader_.take();
        if (!message) break;
        talk->on_message(std::move(*message));
    }
    is_taking_ = false;
    if (talk_ == nullptr) return;
    connection_.acknowledge(*this);
    if (!is_half_closed_ || std::exchange(is_half_close_told_, true)) return;
    std::shared_ptr(talk_)->on_half_closed();
}

std::size_t Stream::give_output(std::uint8_t* into, std::size_t most) {
    const std::size_t bytes = std::min(most, output_.size() - sent_);
    if (bytes == 0) return 0;
    std::memcpy(into, output_.data() + sent_, bytes);
    sent_ += bytes;
    moved_at_ = connection_.loop().service().clock().now();
    if (!has_unsent()) {
        std::string().swap(output_);
        sent_ = 0;
    }
    return bytes;
}

bool Stream::is_stuck(Instant now) const {
    return (has_unsent() || trailers_) && now - moved_at_ > limits::kHttpWriteTimeout;
}

}  // namespace millrace::rpc
