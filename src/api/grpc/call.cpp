#include "api/grpc/call.hpp"

#include <grpc/grpc_security_constants.h>

#include <chrono>
#include <utility>

#include "api/grpc/buffers.hpp"
#include "api/grpc/message_values.hpp"
#include "api/grpc/peer.hpp"
#include "api/http/certificate_names.hpp"
#include "api/http/error_response.hpp"
#include "api/http/mailbox.hpp"
#include "api/http/trouble.hpp"
#include "core/limits.hpp"

namespace millrace::rpc {

namespace {

constexpr std::string_view kHeadersTaken[] = {"authorization",   "millrace-workspace",
                                              "idempotency-key", "x-request-id",
                                              "traceparent",     "origin"};

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

// In the certificate that the client has shown; null for none.
std::shared_ptr<const http::CertificateNames> client_names(const grpc::ServerContextBase& context) {
    const auto certificates =
        context.auth_context()->FindPropertyValues(GRPC_X509_PEM_CERT_PROPERTY_NAME);
    if (certificates.empty()) return nullptr;
    return http::certificate_names(
        std::string_view(certificates.front().data(), certificates.front().size()));
}

// What an answer says beside its body, in headers of REST.
void add_notes(grpc::ServerContextBase& context, const http::HttpResponse& response) {
    for (const auto& [name, value] : response.headers) {
        if (name == "Idempotent-Replayed") {
            context.AddTrailingMetadata("idempotent-replayed", value);
        } else if (name == "Millrace-Warning") {
            context.AddTrailingMetadata("millrace-warning", value);
        }
    }
}

bool is_overdue(const grpc::ServerContextBase& context) {
    const gpr_timespec deadline = context.raw_deadline();
    return gpr_time_cmp(deadline, gpr_now(deadline.clock_type)) <= 0;
}

}  // namespace

Call::Call(Calls& calls, Served& served, grpc::GenericCallbackServerContext& context)
    : calls_(calls), served_(served), context_(context), mailbox_(calls.next_mailbox()) {}

grpc::ServerGenericBidiReactor* Call::start() {
    self_ = shared_from_this();
    http::HttpRequest request = head();
    trail_ = calls_.service().begin(request);
    trail_.rpc = served_.name;
    context_.AddInitialMetadata("x-request-id", trail_.request_id);
    const auto waiting =
        std::make_shared<Waiting>(self_, mailbox_, trail_.request_id, trail_.trace);
    {
        const MutexLock lock(mutex_);
        waiting_ = waiting;
    }
    calls_.add(self_);  // Before the question: a drain that begins now finds it.
    if (calls_.is_draining()) {
        end(stopping());
    } else if (served_.is_open) {
        std::string client = request.remote_address;
        read_message(std::move(request), std::move(client));
    } else {
        calls_.service().admit_caller(std::move(request), trail_, http::Responder(waiting),
                                      [call = self_](http::HttpRequest known, std::string client) {
                                          call->read_message(std::move(known), std::move(client));
                                      });
    }
    return this;
}

http::HttpRequest Call::head() const {
    http::HttpRequest request;
    const Peer peer = parse_peer(context_.peer());
    request.remote_address = peer.address;
    request.certificate_names = client_names(context_);
    request.headers.add("Host", peer.is_local ? "localhost" : host_of(context_.host()));
    // All of one name: which of two is meant is for the service to judge.
    for (const std::string_view name : kHeadersTaken) {
        const auto [first, last] =
            context_.client_metadata().equal_range(grpc::string_ref(name.data(), name.size()));
        for (auto field = first; field != last; ++field) {
            request.headers.add(name, {field->second.data(), field->second.size()});
        }
    }
    return request;
}

void Call::ask_to_drain() {
    {
        const MutexLock lock(mutex_);
        if (waiting_ == nullptr && stream_ == nullptr) return;
    }
    mailbox_->put({.call = shared_from_this(), .is_drain = true});
}

void Call::drain() {
    bool is_without_message = false;
    std::shared_ptr<http::StreamChannel> stream;
    {
        const MutexLock lock(mutex_);
        is_without_message = waiting_ != nullptr;
        stream = stream_;
    }
    if (is_without_message) return end(stopping());
    if (stream != nullptr) (void)end_endless(*stream);
}

void Call::read_message(http::HttpRequest head, std::string client) {
    request_ = std::move(head);
    client_ = std::move(client);
    admitted_at_ = calls_.service().clock().now();
    const MutexLock lock(mutex_);
    // With the lock: after the end of the call nothing is read.
    if (!is_ended_) StartRead(&message_);
}

void Call::OnReadDone(bool is_ok) {
    if (is_ok) return handle(taken_bytes(message_));
    end({.code = Code::invalid_argument, .message = "Expected a message, but there was none."});
}

void Call::handle(std::string message) {
    std::shared_ptr<Waiting> waiting;
    {
        const MutexLock lock(mutex_);
        if (is_ended_) return;
        waiting = std::move(waiting_);
        handled_ = waiting;
    }
    if (served_.is_open && message.size() > limits::kBodyUnaskedBytesMax) {
        return waiting->respond(too_large_for_strangers(trail_.request_id));
    }
    const Result<std::size_t> bytes = bytes_to_work_on(message, served_.method);
    if (!bytes) return waiting->respond(http::error_response(bytes.error(), trail_.request_id));
    if (*bytes > limits::kBodyUnaskedBytesMax) {
        http::BodyBudget::Share share(calls_.service().bodies(), client_);
        if (!share.grow_to(*bytes)) {
            return waiting->respond(no_room_for_message(trail_.request_id));
        }
        waiting->keep(std::move(share));
    }
    Result<RestCall> call = bounded_call(served_.method, message);
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
    calls_.service().handle(std::move(request), trail_, http::Responder(std::move(waiting)));
}

void Call::answer(http::HttpResponse response) {
    if (!begin_end()) return http::report_undelivered(response);
    const bool is_error = response.status >= 400 && !served_.method.is_reply(response);
    if (!is_error) {
        Result<std::string> reply = served_.method.to_reply(response);
        if (reply) {
            add_notes(context_, response);
            return write_reply(std::move(*reply), std::move(response.on_undelivered));
        }
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
    finish(status, trouble);
}

void Call::write_reply(std::string reply, std::function<void()> on_undelivered) {
    if (on_undelivered && context_.IsCancelled()) {
        on_undelivered();
        return finish({.code = Code::cancelled, .message = "The client is gone."});
    }
    if (reply.size() > limits::kBodyUnaskedBytesMax) {
        reply_share_ = http::BodyBudget::Share(calls_.service().bodies(), client_);
        if (!reply_share_.grow_to(reply.size())) {
            if (on_undelivered) on_undelivered();
            return finish(no_room_for_reply());
        }
    }
    on_undelivered_ = std::move(on_undelivered);
    reply_ = buffer_of(std::move(reply));
    note_end(Code::ok, {});
    const MutexLock lock(mutex_);
    writing_since_ = calls_.service().clock().now();
    StartWriteAndFinish(&reply_, grpc::WriteOptions(), grpc::Status::OK);
}

void Call::end_if_late(Instant now) {
    bool is_late = false;
    {
        const MutexLock lock(mutex_);
        is_late = waiting_ != nullptr && now - trail_.started_at > limits::kHttpReadTimeout;
        // With the lock, so that gRPC still has the call. It tells of it by threads of its own.
        if (writing_since_ && now - *writing_since_ > limits::kHttpWriteTimeout) {
            context_.TryCancel();
        }
    }
    if (!is_late) return;
    end({.code = Code::deadline_exceeded, .message = "The message did not come in time."});
}

void Call::OnCancel() {
    std::shared_ptr<Waiting> waiting;
    {
        const MutexLock lock(mutex_);
        waiting = waiting_ != nullptr ? waiting_ : handled_.lock();
    }
    if (waiting != nullptr) waiting->client_gone();
    if (calls_.is_draining()) return end(stopping());
    const bool is_late = is_overdue(context_);
    end({.code = is_late ? Code::deadline_exceeded : Code::cancelled,
         .message = "The client did not wait for the answer."});
}

void Call::OnDone() {
    // Only now it is known whether the reply was sent.
    if (on_undelivered_ && context_.IsCancelled()) on_undelivered_();
    reply_share_ = {};
    {
        const MutexLock lock(mutex_);
        writing_since_.reset();
    }
    const auto last = std::move(self_);
    calls_.remove(last);
}

bool Call::begin_end() {
    std::shared_ptr<Waiting> waiting;
    std::shared_ptr<http::StreamChannel> stream;
    {
        const MutexLock lock(mutex_);
        if (std::exchange(is_ended_, true)) return false;
        std::swap(waiting, waiting_);
        std::swap(stream, stream_);
    }
    if (waiting != nullptr) waiting->give_up();
    if (stream != nullptr) stream->close();
    return true;
}

void Call::end(const CallStatus& status, std::string_view trouble) {
    if (begin_end()) finish(status, trouble);
}

void Call::finish(const CallStatus& status, std::string_view trouble) {
    note_end(status.code, trouble);
    Finish({static_cast<grpc::StatusCode>(status.code), status.message, status.details});
}

void Call::note_end(Code code, std::string_view trouble) {
    const http::RpcEnd end{
        .code = to_string(code), .status = http_status(code), .trouble = trouble};
    const Instant now = calls_.service().end_rpc(trail_, end);
    served_.metrics.record(code, now - trail_.started_at);
}

}  // namespace millrace::rpc
