#include "api/grpc/waiting.hpp"

#include <utility>

#include "api/http/error_response.hpp"
#include "api/http/mailbox.hpp"

namespace millrace::rpc {

Waiting::Waiting(std::shared_ptr<Call> call, std::shared_ptr<Mailbox> mailbox,
                 std::string request_id, TraceContext trace)
    : call_(std::move(call)),
      mailbox_(std::move(mailbox)),
      request_id_(std::move(request_id)),
      trace_(trace) {}

Waiting::~Waiting() {
    const Error error{ErrorCode::internal, "The request was dropped without an answer."};
    if (!is_answered_) respond(http::error_response(error, request_id_));
}

void Waiting::respond(http::HttpResponse response) {
    if (is_answered_.exchange(true)) return http::report_undelivered(response);
    (void)take_hook();
    body_share_ = {};
    mailbox_->put({.call = call_, .response = std::move(response)});
}

http::ResponseStream Waiting::stream(http::HttpResponse head, http::StreamKind kind) {
    const auto channel = std::make_shared<http::StreamChannel>(
        std::move(head), kind,
        [call = call_, mailbox = mailbox_](std::shared_ptr<http::StreamChannel> woken) {
            mailbox->put({.call = call, .stream = std::move(woken)});
        });
    http::ResponseStream sender(std::make_shared<http::ChannelSender>(channel));
    if (is_answered_.exchange(true)) {
        channel->close();
        return sender;
    }
    (void)take_hook();
    body_share_ = {};
    mailbox_->put({.call = call_, .stream = channel});
    return sender;
}

void Waiting::on_client_gone(std::function<void()> hook) {
    {
        const MutexLock lock(mutex_);
        if (!is_client_gone_) {
            if (!is_answered_) std::swap(hook_, hook);
            return;
        }
    }
    if (!is_answered_) hook();
}

void Waiting::client_gone() {
    if (const auto hook = take_hook(true)) hook();
}

void Waiting::give_up() {
    is_answered_ = true;
    (void)take_hook();
}

std::function<void()> Waiting::take_hook(bool is_gone) {
    const MutexLock lock(mutex_);
    is_client_gone_ = is_client_gone_ || is_gone;
    return std::exchange(hook_, nullptr);
}

}  // namespace millrace::rpc
