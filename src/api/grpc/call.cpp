#include "api/grpc/call.hpp"

#include <chrono>
#include <utility>

#include "api/grpc/connection.hpp"
#include "api/grpc/message_values.hpp"
#include "api/http/error_response.hpp"
#include "api/http/trouble.hpp"
#include "core/limits.hpp"

namespace millrace::rpc {

namespace {

// What one value of a message takes in memory: two bytes can become as much, or more.
constexpr std::size_t kValueBytes = 64;

CallStatus stopping() {
    return {.code = Code::unavailable, .message = "The server is stopping."};
}

http::HttpResponse no_room_for_message(std::string_view request_id) {
    const Error error{ErrorCode::unavailable,
                      "The messages of other calls take all the room there is for them, or all "
                      "that one client may have."};
    http::HttpResponse response = http::error_response(error, request_id);
    const auto seconds = std::chrono::ceil<std::chrono::seconds>(limits::kBodiesRetryAfter);
    response.headers.emplace_back("Retry-After", std::to_string(seconds.count()));
    return response;
}

http::HttpResponse too_large_for_strangers(std::string_view request_id) {
    const Error error{ErrorCode::too_large, "Messages of more than " +
                                                std::to_string(limits::kBodyUnaskedBytesMax) +
                                                " bytes are not read here."};
    return http::error_response(error, request_id);
}

CallStatus no_room_for_reply() {
    return {.code = Code::resource_exhausted,
            .message =
                "Replies that were not read yet take all the room there is for them, or all "
                "that one client may have."};
}

// What the message takes until it is answered. invalid_argument: it has more values than are read
// of a body as JSON.
Result<std::size_t> bytes_to_work_on(std::string_view message, const Method& method) {
    if (method.input() == nullptr) return message.size();
    const std::size_t values = values_in(message, *method.input(), limits::kJsonValuesMax);
    if (values > limits::kJsonValuesMax) {
        return Error{
            ErrorCode::invalid_argument,
            "The message has more than " + std::to_string(limits::kJsonValuesMax) + " values."};
    }
    return message.size() + values * kValueBytes;
}

// What an answer says beside its body, in headers of REST.
Fields notes_of(const http::HttpResponse& response) {
    Fields notes;
    for (const auto& [name, value] : response.headers) {
        if (name == "Idempotent-Replayed") notes.emplace_back("idempotent-replayed", value);
        if (name == "Millrace-Warning") notes.emplace_back("millrace-warning", value);
    }
    return notes;
}

}  // namespace

Call::Call(Calls& calls, Served& served, Stream& stream)
    : calls_(calls), served_(served), stream_(stream) {
    calls_.open().add();
}

Call::~Call() {
    calls_.open().remove();
}

void Call::begin() {
    http::HttpRequest request = request_head();
    trail_ = calls_.service().begin(request);
    trail_.rpc = served_.name;

    stream_.add_header("x-request-id", trail_.request_id);

    if (calls_.is_draining()) return end(stopping());
    if (served_.is_open) {
        std::string client = request.remote_address;
        return read_message(std::move(request), std::move(client));
    }
    const auto waiting = new_waiting();
    waiting_ = waiting;
    calls_.service().admit_caller(std::move(request), trail_, http::Responder(waiting),
                                  [waiting](http::HttpRequest known, std::string client) {
                                      waiting->admit(std::move(known), std::move(client));
                                  });
    waiting->leave_handler();
}

std::shared_ptr<Waiting> Call::new_waiting() {
    Connection& connection = stream_.connection();
    return std::make_shared<Waiting>(*this, connection.loop().mailbox(), connection.busy(),
                                     trail_.request_id, trail_.trace);
}

http::HttpRequest Call::request_head() {
    http::HttpRequest request;
    request.remote_address = stream_.connection().remote_address();
    request.certificate_names = stream_.connection().client_names();
    request.headers = stream_.head().headers;
    return request;
}

void Call::admit(std::string client) {
    if (state_ != State::admitting) return;
    Connection& connection = stream_.connection();
    admit_inside(std::move(client));
    connection.serve();
}

void Call::admit_inside(std::string client) {
    read_message(waiting_->take_head(), std::move(client));
}

void Call::read_message(http::HttpRequest head, std::string client) {
    request_ = std::move(head);
    client_ = std::move(client);
    admitted_at_ = calls_.service().clock().now();
    state_ = State::reading;
    waiting_.reset();
    stream_.read_on();
}

// The length is known before the message is here, and so is whether it will be taken.
bool Call::has_room_for(std::size_t bytes) {
    if (state_ != State::reading || bytes <= limits::kBodyUnaskedBytesMax) return true;
    if (served_.is_open) {
        answer_inside(too_large_for_strangers(trail_.request_id));
        return false;
    }
    if (message_share_.bytes() == 0) {
        message_share_ = http::BodyBudget::Share(calls_.service().bodies(), client_);
    }
    if (message_share_.grow_to(bytes)) return true;
    answer_inside(no_room_for_message(trail_.request_id));
    return false;
}

void Call::on_message(std::string message) {
    if (state_ == State::reading) handle(std::move(message));
}

void Call::on_half_closed() {
    if (state_ != State::reading) return;
    end({.code = Code::invalid_argument, .message = "Expected a message, but there was none."});
}

void Call::handle(std::string message) {
    state_ = State::handling;
    const auto waiting = new_waiting();
    handled_ = waiting;
    Result<RestCall> call = rest_call(message, *waiting);
    if (state_ != State::handling) return;
    if (!call) return waiting->respond(http::error_response(call.error(), trail_.request_id));

    http::HttpRequest request = std::move(request_);
    // The message may have come hours later: the key could be revoked since. Without a principal
    // the gate is asked again.
    const Duration age = calls_.service().clock().now() - admitted_at_;
    if (age > limits::kApiKeyFresh) request.principal = nullptr;
    request.method = std::move(call->method);
    request.path = std::move(call->path);
    request.query = std::move(call->query);
    request.body = std::move(call->body);
    request.client = served_.method.client();
    calls_.service().handle(std::move(request), trail_, http::Responder(waiting));
    waiting->leave_handler();
}

// An error of the budget is answered here already.
Result<RestCall> Call::rest_call(const std::string& message, Waiting& waiting) {
    const Result<std::size_t> bytes = bytes_to_work_on(message, served_.method);
    if (!bytes) return bytes.error();
    if (*bytes > limits::kBodyUnaskedBytesMax) {
        http::BodyBudget::Share share = std::move(message_share_);
        if (share.bytes() == 0) {
            share = http::BodyBudget::Share(calls_.service().bodies(), client_);
        }
        if (!share.grow_to(*bytes)) {
            waiting.respond(no_room_for_message(trail_.request_id));
            return RestCall{};
        }
        waiting.keep(std::move(share));
    }
    return bounded_call(served_.method, message);
}

void Call::answer(http::HttpResponse response) {
    if (state_ == State::over) return http::report_undelivered(response);
    Connection& connection = stream_.connection();
    answer_inside(std::move(response));
    connection.serve();
}

void Call::answer_inside(http::HttpResponse response) {
    if (state_ == State::over || state_ == State::streaming) {
        return http::report_undelivered(response);
    }
    const bool is_error = response.status >= 400 && !served_.method.is_reply(response);
    if (!is_error) {
        Result<std::string> reply = served_.method.to_reply(response);
        if (reply) return write_reply(std::move(*reply), std::move(response));
        http::report_undelivered(response);
        response = http::error_response(reply.error(), trail_.request_id);
    }
    std::string trouble = http::take_trouble(response, trail_.request_id);
    const Conflict conflict = served_.method.conflicts_are_preconditions()
                                  ? Conflict::is_failed_precondition
                                  : Conflict::is_aborted;
    const CallStatus status = status_of(response, trail_.request_id, conflict);
    // A job that its worker can never get is the operator's trouble as well.
    if (response.error == ErrorCode::too_large) trouble = status.message;
    end(status, trouble);
}

void Call::write_reply(std::string reply, http::HttpResponse response) {
    // Better to know than to hope: under load the answer may come before the news that the client
    // is gone.
    if (response.on_undelivered && stream_.connection().is_other_side_gone()) {
        response.on_undelivered();
        return end({.code = Code::cancelled, .message = "The client is gone."});
    }
    if (reply.size() > limits::kBodyUnaskedBytesMax) {
        http::BodyBudget::Share share(calls_.service().bodies(), client_);
        if (!share.grow_to(reply.size())) {
            http::report_undelivered(response);
            return end(no_room_for_reply());
        }
        stream_.keep(std::move(share));
    }
    if (response.on_undelivered) stream_.on_undelivered(std::move(response.on_undelivered));
    state_ = State::over;
    note_end(Code::ok, {});
    stream_.send(reply);
    stream_.finish({}, notes_of(response));
}

void Call::on_drain() {
    if (state_ == State::admitting || state_ == State::reading) return end(stopping());
    if (state_ == State::streaming) (void)end_endless();
}

void Call::on_tick(Instant now) {
    const bool is_without_message = state_ == State::admitting || state_ == State::reading;
    if (is_without_message && now - trail_.started_at > limits::kHttpReadTimeout) {
        end({.code = Code::deadline_exceeded, .message = "The message did not come in time."});
    }
}

void Call::on_overdue() {
    if (const auto handled = handled_.lock()) handled->client_gone();
    end({.code = Code::deadline_exceeded, .message = "The client did not wait for the answer."});
}

void Call::on_gone() {
    if (state_ == State::over) return;
    state_ = State::over;
    if (waiting_ != nullptr) waiting_->client_gone();
    if (const auto handled = handled_.lock()) handled->client_gone();
    if (channel_ != nullptr) channel_->close();
    note_end(Code::cancelled, {});
}

// The stream forgets its talk with this: whoever calls keeps it.
void Call::end(const CallStatus& status, std::string_view trouble) {
    if (state_ == State::over) return;
    state_ = State::over;
    if (waiting_ != nullptr) waiting_->give_up();
    if (const auto handled = handled_.lock()) handled->give_up();
    if (channel_ != nullptr) channel_->close();
    note_end(status.code, trouble);
    stream_.finish(status);
}

void Call::note_end(Code code, std::string_view trouble) {
    const http::RpcEnd end{
        .code = to_string(code), .status = http_status(code), .trouble = trouble};
    const Instant now = calls_.service().end_rpc(trail_, end);
    served_.metrics.record(code, now - trail_.started_at);
}

}  // namespace millrace::rpc
