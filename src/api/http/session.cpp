#include "api/http/session.hpp"

#include <chrono>
#include <utility>

#include "api/http/error_response.hpp"
#include "api/http/session_waiting.hpp"
#include "api/http/trouble.hpp"

namespace millrace::http {

namespace {

// While a request waits, this much of what the client sends behind it is taken from the kernel; the
// end of the connection is seen only behind all that was sent.
constexpr std::size_t kInputAheadBytesMax = 64u << 10;
// A connection that waits keeps no more than this from its last answer.
constexpr std::size_t kOutputBytesKept = 1u << 10;

constexpr std::string_view kTlsOnly =
    "HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\n"
    "Content-Length: 54\r\nConnection: close\r\n\r\n"
    "This port speaks HTTPS only, but the request is HTTP.\n";

// What a body of unknown length gets of the budget at once.
constexpr std::size_t kBodyStepBytes = 1u << 20;

HttpResponse no_room_response(std::string_view request_id) {
    const Error error{ErrorCode::unavailable,
                      "The bodies of other requests take all the room there is for them, or all "
                      "that one client may have."};
    HttpResponse response = error_response(error, request_id);
    const auto seconds = std::chrono::ceil<std::chrono::seconds>(limits::kBodiesRetryAfter);
    response.headers.emplace_back("Retry-After", std::to_string(seconds.count()));
    return response;
}

}  // namespace

Session::Session(Loop& loop, TcpStream stream)
    : loop_(loop), stream_(std::move(stream)), remote_address_(stream_.remote_address()) {}

Session::~Session() = default;

void Session::start() {
    set_deadline();
    is_handshaking_ = !stream_.is_established();
    if (is_handshaking_) deadline_ = loop_.deadline_after(loop_.limits().read_timeout);
    // What is there already when draining begins is still served.
    if (loop_.is_draining()) return read_input();
    wait_for_input();
}

void Session::drain() {
    if (state_ == State::idle && !is_write_blocked_) return read_input();
    if (state_ != State::streaming) return;
    cut_endless_stream();
    serve();
}

void Session::close() {
    if (state_ == State::closed) return;
    state_ = State::closed;
    stream_.close();
    if (const auto waiting = waiting_.lock()) waiting->client_gone();
    if (const auto stream = std::exchange(stream_body_, {})) stream->close();
    for (const auto& hook : std::exchange(on_undelivered_, {})) hook();
    loop_.remove(*this);
}

void Session::answer(HttpResponse response) {
    const bool is_awaited = state_ == State::handling || state_ == State::admitting;
    if (!is_awaited) return report_undelivered(response);
    give(std::move(response));
    serve();
}

void Session::admit(std::string client) {
    if (state_ != State::admitting) return;
    let_body_come(std::move(client));
    serve();
}

void Session::go_on(const std::shared_ptr<StreamChannel>& stream) {
    if (state_ == State::handling && !stream->is_begun) {
        begin_stream(stream);
    } else if (stream != stream_body_) {
        return stream->close();  // One of an earlier request, or of none any more.
    }
    if (stream->is_cut_off()) return close();
    serve();
}

void Session::check_deadline(std::uint64_t ticks) {
    if (deadline_ == 0 || ticks < deadline_) return;
    if (state_ != State::reading || is_write_blocked_) return close();
    reject({408, "timeout", "The request did not arrive in time."});
    serve();
}

void Session::wait_for_input() {
    const bool is_ahead = !may_read_requests() && input_.size() >= kInputAheadBytesMax;
    if (is_waiting_for_input_ || is_input_ended_ || is_ahead || state_ == State::closed) return;
    is_waiting_for_input_ = true;
    stream_.wait_readable([self = shared_from_this()](const boost::system::error_code&) {
        self->is_waiting_for_input_ = false;
        self->read_input();
    });
}

void Session::read_input() {
    if (state_ == State::closed) return;
    const auto buffer = loop_.read_buffer();
    const Transfer transfer = stream_.read_some(buffer);
    switch (transfer.state) {
        case Transfer::State::ok: return take_input({buffer.data(), transfer.bytes});
        case Transfer::State::ended: return on_input_ended();
        case Transfer::State::failed: return close();
        case Transfer::State::refused: return refuse_encryption();
        case Transfer::State::would_block:
            if (loop_.is_draining() && state_ == State::idle) return close();
            if (is_handshaking_ && stream_.is_established()) {
                is_handshaking_ = false;
                set_deadline();
            }
            return wait_for_input();
    }
}

void Session::take_input(std::string_view bytes) {
    if (state_ == State::closing || state_ == State::lingering) {
        lingered_bytes_ += bytes.size();
        return lingered_bytes_ > limits::kHttpLingerBytesMax ? close() : wait_for_input();
    }
    if (input_.empty() && may_read_requests()) {
        input_ = bytes.substr(read_requests(bytes));
    } else {
        input_ += bytes;
    }
    serve();
}

void Session::on_input_ended() {
    is_input_ended_ = true;
    if (state_ == State::lingering) return close();
    if (const auto waiting = waiting_.lock()) waiting->client_gone();
    cut_endless_stream();
    serve();
}

// Goes as far as it can: understands requests, writes answers, waits for more.
void Session::serve() {
    if (state_ == State::streaming) stream_on();
    for (bool is_to_go_on = true; is_to_go_on;) {
        if (!input_.empty() && may_read_requests()) {
            const std::string bytes = std::exchange(input_, {});
            input_ = bytes.substr(read_requests(bytes));
        }
        const bool was_behind = is_client_behind();
        flush();
        is_to_go_on = was_behind && !input_.empty() && may_read_requests();
    }
    if (is_input_ended_ && may_read_requests()) return close();
    set_deadline();
    wait_for_input();
}

std::size_t Session::read_requests(std::string_view bytes) {
    std::size_t taken = 0;
    while (may_read_requests()) {
        if (state_ == State::idle) {
            // Empty lines between requests are allowed.
            taken = std::min(bytes.find_first_not_of("\r\n", taken), bytes.size());
            if (taken == bytes.size()) break;
            begin_request();
        }
        taken += reader_->feed(bytes.substr(taken));
        if (reader_->rejection()) {
            reject(*reader_->rejection());
        } else if (reader_->is_done()) {
            dispatch();
        } else if (reader_->is_body_to_be_admitted()) {
            ask_for_admission();
        } else if (!has_room_for_body()) {
            refuse_for_room();
        } else if (bytes.size() - taken > loop_.limits().request.header_bytes_max) {
            reject({431, "too-large",
                    "A chunk of the request has a header of more than " +
                        std::to_string(loop_.limits().request.header_bytes_max) + " bytes."});
        } else {
            break;
        }
    }
    return taken;
}

void Session::begin_request() {
    state_ = State::reading;
    // The handshake is over: a request comes after it.
    if (client_names_ == nullptr) client_names_ = stream_.client_names();
    reader_ = std::make_unique<RequestReader>(loop_.limits().request);
    deadline_ = loop_.deadline_after(loop_.limits().read_timeout);
}

void Session::note_client(HttpRequest& request) const {
    request.remote_address = remote_address_;
    request.certificate_names = client_names_;
}

// Whatever is answered instead of letting the body in is the last answer: nobody reads on to where
// the next request would begin.
void Session::ask_for_admission() {
    state_ = State::admitting;
    keep_alive_ = false;
    is_http10_ = reader_->is_http10();
    HttpRequest head = reader_->head();
    note_client(head);
    trail_ = loop_.service().begin(head);
    const auto waiting = std::make_shared<Waiting>(*this, BodyBudget::Share{});
    waiting_ = waiting;
    loop_.service().admit_body(
        std::move(head), trail_, Responder(waiting),
        [waiting](std::string client) { waiting->admit(std::move(client)); });
    waiting->leave_handler();
}

void Session::let_body_come(std::string client) {
    state_ = State::reading;
    waiting_.reset();
    deadline_ = loop_.deadline_after(loop_.limits().read_timeout);
    body_share_ = {loop_.service().bodies(), std::move(client)};
    reader_->admit_body();
    if (!has_room_for_body()) return refuse_for_room();
    if (reader_->take_wants_continue()) output_ += "HTTP/1.1 100 Continue\r\n\r\n";
}

// Of the body that is let in. A declared length is had as a whole, so that whoever begins can end.
bool Session::has_room_for_body() {
    if (!reader_->is_body_admitted()) return true;
    if (const auto length = reader_->body_bytes_declared()) return body_share_.grow_to(*length);
    const std::size_t steps = reader_->body_bytes() / kBodyStepBytes + 1;
    return body_share_.grow_to(steps * kBodyStepBytes);
}

void Session::refuse_for_room() {
    keep_alive_ = false;
    give(no_room_response(trail_.request_id));
}

void Session::dispatch() {
    state_ = State::handling;
    keep_alive_ = reader_->keep_alive();
    is_http10_ = reader_->is_http10();
    const bool is_admitted = reader_->is_body_admitted();
    HttpRequest request = reader_->take();
    note_client(request);
    reader_.reset();
    trail_ = loop_.service().begin(request);
    // One that came at once, with its header.
    if (!is_admitted && request.body.size() > limits::kBodyUnaskedBytesMax) {
        body_share_ = {loop_.service().bodies(), remote_address_};
        if (!body_share_.grow_to(request.body.size())) {
            return give(no_room_response(trail_.request_id));
        }
    }
    const auto waiting = std::make_shared<Waiting>(*this, std::move(body_share_));
    waiting_ = waiting;
    loop_.service().handle(std::move(request), trail_, Responder(waiting));
    waiting->leave_handler();
}

void Session::reject(const Rejection& rejection) {
    const Rejection kept = rejection;  // It may be the reader's own.
    HttpRequest nothing;
    nothing.remote_address = remote_address_;
    trail_ = loop_.service().begin(nothing);
    keep_alive_ = false;
    give(error_response({kept.status, kept.code}, kept.reason, trail_.request_id));
}

void Session::give(HttpResponse response) {
    const std::string trouble = take_trouble(response, trail_.request_id);
    const Instant now = loop_.service().end(trail_, response.status, trouble);
    keep_alive_ = keep_alive_ && !loop_.is_draining();
    state_ = keep_alive_ ? State::idle : State::closing;
    waiting_.reset();
    reader_.reset();  // Of a body that nobody wants.
    body_share_ = {};

    // Whoever has closed before the answer reads no answer; better to know than to hope. Under load
    // the answer may come to this loop before the news that the client is gone.
    if (response.on_undelivered && (is_input_ended_ || stream_.is_other_side_gone())) {
        state_ = State::closing;
        return report_undelivered(response);
    }
    append_response(output_, response, frame(now));
    if (response.on_undelivered) on_undelivered_.push_back(std::move(response.on_undelivered));
}

void Session::begin_stream(const std::shared_ptr<StreamChannel>& stream) {
    const HttpResponse& head = stream->head();
    const Instant now = loop_.service().end(trail_, head.status);
    // What may end at any time is better told from what broke off when nothing comes behind it.
    const bool is_endless = stream->kind() == StreamKind::endless;
    keep_alive_ = keep_alive_ && !loop_.is_draining() && !is_http10_ && !is_endless;
    state_ = State::streaming;
    waiting_.reset();
    stream_body_ = stream;
    stream->is_begun = true;
    append_stream_head(output_, head, frame(now));
    append_chunk(output_, head.body, frame());
    if (is_input_ended_ || loop_.is_draining()) cut_endless_stream();
}

// Takes once what there is: a sender that always has more must not keep the others waiting.
void Session::stream_on() {
    flush();
    if (state_ != State::streaming || is_write_blocked_) return;
    const StreamChannel::Piece piece = stream_body_->take();
    append_chunk(output_, piece.bytes, frame());
    if (piece.is_end) return end_stream();
    flush();
}

void Session::end_stream() {
    append_stream_end(output_, frame());
    keep_alive_ = keep_alive_ && !loop_.is_draining();
    state_ = keep_alive_ ? State::idle : State::closing;
    std::exchange(stream_body_, {})->close();
}

void Session::cut_endless_stream() {
    if (state_ != State::streaming || stream_body_->kind() != StreamKind::endless) return;
    if (is_write_blocked_) return close();
    append_chunk(output_, stream_body_->take().bytes, frame());
    end_stream();
}

ResponseFrame Session::frame(Instant now) const {
    return {
        .request_id = trail_.request_id,
        .allowed_origin = trail_.allowed_origin,
        .now = now,
        .keep_alive = keep_alive_,
        .is_http10 = is_http10_,
        .is_head = trail_.is_head,
    };
}

void Session::flush() {
    while (!is_write_blocked_ && output_written_ < output_.size()) {
        const auto rest = std::string_view(output_).substr(output_written_);
        const Transfer transfer = stream_.write_some(rest);
        switch (transfer.state) {
            case Transfer::State::ok: output_written_ += transfer.bytes; break;
            case Transfer::State::would_block: return wait_for_output();
            case Transfer::State::ended:
            case Transfer::State::failed:
            case Transfer::State::refused: return close();
        }
    }
    if (is_write_blocked_ || state_ == State::closed) return;
    output_written_ = 0;
    on_undelivered_.clear();
    if (output_.capacity() > kOutputBytesKept) {
        std::string().swap(output_);
    } else {
        output_.clear();
    }
    if (state_ == State::streaming) stream_body_->note_written();
    if (state_ == State::closing) linger();
}

void Session::wait_for_output() {
    is_write_blocked_ = true;
    deadline_ = loop_.deadline_after(loop_.limits().write_timeout);
    stream_.wait_writable([self = shared_from_this()](const boost::system::error_code&) {
        self->is_write_blocked_ = false;
        if (self->state_ != State::closed) self->serve();
    });
}

// From here on the connection is only read to its end, so that the client can read why.
void Session::refuse_encryption() {
    if (stream_.is_plain_http()) (void)stream_.write_some(kTlsOnly);  // Short: it fits, or never.
    linger();
    wait_for_input();
}

void Session::linger() {
    state_ = State::lingering;
    stream_.shut_down_sending();
    if (is_input_ended_) return close();
    deadline_ = loop_.deadline_after(loop_.limits().linger_timeout);
}

bool Session::may_read_requests() const {
    const bool is_between = state_ == State::idle || state_ == State::reading;
    return is_between && !is_write_blocked_ && !is_client_behind();
}

// Small requests can have large answers: whoever does not read them gets no more.
bool Session::is_client_behind() const {
    return output_.size() - output_written_ > limits::kAnswersBehindBytesMax;
}

void Session::set_deadline() {
    const SessionLimits& limits = loop_.limits();
    if (is_write_blocked_) return;  // Set when it began: only progress moves it.
    switch (state_) {
        case State::idle: deadline_ = loop_.deadline_after(limits.idle_timeout); return;
        case State::admitting:
        case State::handling:
        case State::streaming: deadline_ = 0; return;  // As long as its handler needs.
        case State::reading:
        case State::closing:
        case State::lingering:
        case State::closed: return;  // Set when the state began.
    }
}

}  // namespace millrace::http
