#include "api/grpc/connection.hpp"

#include <nghttp2/nghttp2.h>

#include <algorithm>
#include <utility>

#include "api/grpc/calls.hpp"

namespace millrace::rpc {

namespace {

// So much is made ready at once of what the streams have to send.
constexpr std::size_t kOutputBytesAhead = 64u << 10;
constexpr int kConnectionWindow = 1 << 20;
constexpr Duration kTimeoutMax = std::chrono::hours(1'000);  // Whatever a client says.

constexpr std::string_view kGrpcOnly =
    "HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\n"
    "Content-Length: 41\r\nConnection: close\r\n\r\n"
    "This port speaks gRPC. REST has another.\n";

}  // namespace

Connection::Connection(http::Loop& loop, http::TcpStream stream, Calls& calls)
    : loop_(loop),
      tcp_(std::move(stream)),
      calls_(calls),
      remote_address_(tcp_.remote_address()),
      session_(new_session()),
      resets_left_(limits::kRpcResetsMax),
      resets_at_(calls.service().clock().now()) {}

Connection::~Connection() {
    nghttp2_session_del(session_);
}

void Connection::start() {
    const nghttp2_settings_entry settings[] = {
        {NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, limits::kRpcCallsPerConnectionMax},
        {NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, limits::kHeaderBytesMax},
    };
    nghttp2_submit_settings(session_, NGHTTP2_FLAG_NONE, settings, std::size(settings));
    nghttp2_session_set_local_window_size(session_, NGHTTP2_FLAG_NONE, 0, kConnectionWindow);
    silence_deadline_ = loop_.deadline_after(loop_.limits().read_timeout);
    if (loop_.is_draining()) return drain();
    wait_for_input();
}

void Connection::drain() {
    if (is_closed_ || std::exchange(is_goodbye_said_, true)) return;
    nghttp2_submit_goaway(session_, NGHTTP2_FLAG_NONE,
                          nghttp2_session_get_last_proc_stream_id(session_), NGHTTP2_NO_ERROR,
                          nullptr, 0);
    std::vector<std::shared_ptr<Talk>> talks;
    for (const auto& [id, stream] : streams_) talks.push_back(stream->talk_);
    for (const auto& talk : talks) {
        if (talk != nullptr) talk->on_drain();
    }
    serve();
}

void Connection::close() {
    if (std::exchange(is_closed_, true)) return;
    const auto self = shared_from_this();
    tcp_.close();
    while (!streams_.empty()) forget(streams_.begin()->first, false);
    for (const auto& hook : std::exchange(on_undelivered_, {})) hook();
    loop_.remove(*this);
}

void Connection::check_deadline(std::uint64_t ticks) {
    if (is_write_blocked_ && ticks >= write_deadline_) return close();
    look_after_silence(ticks);
    if (is_closed_) return;
    const Instant now = calls_.service().clock().now();
    std::vector<std::shared_ptr<Talk>> talks;
    talks.reserve(streams_.size());
    std::vector<std::shared_ptr<Talk>> overdue;
    for (const auto& [id, stream] : streams_) {
        talks.push_back(stream->talk_);
        const bool is_due = stream->due_ != 0 && ticks >= stream->due_;
        if (is_due && stream->talk_ != nullptr) overdue.push_back(stream->talk_);
    }
    for (const auto& talk : talks) {
        if (talk != nullptr) talk->on_tick(now);
    }
    for (const auto& talk : overdue) talk->on_overdue();
    end_stuck(now);
    serve();
}

// A peer that has vanished is noticed; one that is silent is asked whether it is there.
void Connection::look_after_silence(std::uint64_t ticks) {
    if (ticks < silence_deadline_ || is_input_ended_) return;
    if (!has_spoken_ || is_pinged_) return close();
    if (!may_read()) return;  // We do not listen ourselves.
    is_pinged_ = true;
    nghttp2_submit_ping(session_, NGHTTP2_FLAG_NONE, nullptr);
    silence_deadline_ = loop_.deadline_after(limits::kRpcKeepaliveTimeout);
}

void Connection::end_stuck(Instant now) {
    std::vector<std::int32_t> stuck;
    for (const auto& [id, stream] : streams_) {
        if (stream->is_stuck(now)) stuck.push_back(id);
    }
    for (const std::int32_t id : stuck) {
        nghttp2_submit_rst_stream(session_, NGHTTP2_FLAG_NONE, id, NGHTTP2_CANCEL);
        forget(id, false);
    }
}

std::shared_ptr<const http::CertificateNames> Connection::client_names() {
    if (client_names_ == nullptr) client_names_ = tcp_.client_names();
    return client_names_;
}

// A client that has left too many calls that are still worked on, or that does not read, is not
// read either. One that has all the calls it may have is: it may leave one, or ask whether we live.
bool Connection::may_read() const {
    return busy_->load(std::memory_order_relaxed) < 2 * limits::kRpcCallsPerConnectionMax &&
           output_.size() - output_written_ < kOutputBytesAhead * 4;
}

void Connection::wait_for_input() {
    if (is_waiting_for_input_ || is_input_ended_ || is_closed_ || !may_read()) return;
    is_waiting_for_input_ = true;
    tcp_.wait_readable([self = shared_from_this()](const boost::system::error_code&) {
        self->is_waiting_for_input_ = false;
        self->read_input();
    });
}

void Connection::read_input() {
    if (is_closed_) return;
    const auto buffer = loop_.read_buffer();
    const http::Transfer transfer = tcp_.read_some(buffer);
    switch (transfer.state) {
        case http::Transfer::State::ok: return take_input({buffer.data(), transfer.bytes});
        case http::Transfer::State::would_block: return wait_for_input();
        case http::Transfer::State::ended:
        case http::Transfer::State::failed:
        case http::Transfer::State::refused: return close();
    }
}

void Connection::take_input(std::string_view bytes) {
    is_pinged_ = false;
    if (has_spoken_) silence_deadline_ = loop_.deadline_after(limits::kRpcKeepalive);
    is_serving_ = true;
    const auto taken = nghttp2_session_mem_recv(
        session_, reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    is_serving_ = false;
    if (taken == NGHTTP2_ERR_BAD_CLIENT_MAGIC) return refuse_other_protocol();
    if (taken < 0) is_to_close_ = true;
    serve();
}

void Connection::serve() {
    if (is_closed_ || is_serving_) return;
    is_serving_ = true;
    flush();
    is_serving_ = false;
    if (is_closed_) return;
    const bool is_over =
        nghttp2_session_want_read(session_) == 0 && nghttp2_session_want_write(session_) == 0;
    const bool is_drained = loop_.is_draining() && streams_.empty();
    const bool is_written = output_written_ == output_.size() && !is_write_blocked_;
    if (is_written && (is_to_close_ || is_over || is_drained)) return close();
    wait_for_input();
}

void Connection::flush() {
    while (!is_write_blocked_ && !is_closed_) {
        if (output_written_ == output_.size() && !fill_output()) return tell_of_writes();
        const auto rest = std::string_view(output_).substr(output_written_);
        const http::Transfer transfer = tcp_.write_some(rest);
        switch (transfer.state) {
            case http::Transfer::State::ok: output_written_ += transfer.bytes; break;
            case http::Transfer::State::would_block: return wait_for_output();
            case http::Transfer::State::ended:
            case http::Transfer::State::failed:
            case http::Transfer::State::refused: return close();
        }
    }
}

// False when there is nothing.
bool Connection::fill_output() {
    on_undelivered_.clear();
    output_written_ = 0;
    if (output_.capacity() > kOutputBytesAhead) {
        std::string().swap(output_);
    } else {
        output_.clear();
    }
    while (output_.size() < kOutputBytesAhead) {
        const std::uint8_t* bytes = nullptr;
        const auto count = nghttp2_session_mem_send(session_, &bytes);
        if (count < 0) is_to_close_ = true;
        if (count <= 0) break;
        output_.append(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(count));
    }
    return !output_.empty();
}

void Connection::wait_for_output() {
    is_write_blocked_ = true;
    write_deadline_ = loop_.deadline_after(loop_.limits().write_timeout);
    tcp_.wait_writable([self = shared_from_this()](const boost::system::error_code&) {
        self->is_write_blocked_ = false;
        self->serve();
    });
}

void Connection::tell_of_writes() {
    const auto emptied = std::exchange(emptied_, {});
    for (const std::int32_t id : emptied) {
        Stream* stream = find(id);
        if (stream == nullptr || stream->has_unsent()) continue;
        if (const auto talk = stream->talk_) talk->on_written();
    }
    if (!emptied.empty()) flush();
}

void Connection::begin_call(Stream& stream) {
    has_spoken_ = true;
    stream.talk_ = calls_.new_talk(stream);
    if (const auto timeout = stream.head_.timeout) {
        stream.due_ = loop_.deadline_after(std::min(*timeout, kTimeoutMax));
    }
    const auto talk = stream.talk_;
    talk->begin();
}

void Connection::half_close(Stream& stream) {
    stream.is_half_closed_ = true;
    stream.take_messages();
}

void Connection::note_reset() {
    const Instant now = calls_.service().clock().now();
    const double seconds = std::chrono::duration<double>(now - resets_at_).count();
    resets_at_ = now;
    resets_left_ =
        std::min<double>(limits::kRpcResetsMax,
                         resets_left_ + std::max(0.0, seconds) * limits::kRpcResetsPerSecond) -
        1;
    if (resets_left_ > 0) return;
    nghttp2_session_terminate_session(session_, NGHTTP2_ENHANCE_YOUR_CALM);
    is_to_close_ = true;
}

void Connection::forget(std::int32_t id, bool is_complete) {
    const auto found = streams_.find(id);
    if (found == streams_.end()) return;
    const std::unique_ptr<Stream> stream = std::move(found->second);
    streams_.erase(found);
    if (const auto talk = std::exchange(stream->talk_, nullptr)) talk->on_gone();
    if (!stream->on_undelivered_) return;
    if (is_complete) {
        on_undelivered_.push_back(std::move(stream->on_undelivered_));
    } else {
        stream->on_undelivered_();
    }
}

Stream* Connection::find(std::int32_t id) {
    const auto found = streams_.find(id);
    return found != streams_.end() ? found->second.get() : nullptr;
}

void Connection::acknowledge(Stream& stream) {
    const std::size_t bytes = std::exchange(stream.unacknowledged_, 0);
    if (bytes > 0) nghttp2_session_consume_stream(session_, stream.id_, bytes);
}

// Somebody took this port for that of REST.
void Connection::refuse_other_protocol() {
    if (!has_spoken_) (void)tcp_.write_some(kGrpcOnly);  // Short: it fits, or never.
    tcp_.shut_down_sending();
    close();
}

}  // namespace millrace::rpc
