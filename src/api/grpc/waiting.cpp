#include "api/grpc/waiting.hpp"

#include <utility>

#include "api/grpc/call.hpp"
#include "api/http/error_response.hpp"

namespace millrace::rpc {

Waiting::Waiting(Call& call, std::shared_ptr<http::Mailbox> mailbox,
                 std::shared_ptr<std::atomic<int>> busy, std::string request_id, TraceContext trace)
    : call_(call),
      recipient_(call.weak_from_this()),
      mailbox_(std::move(mailbox)),
      busy_(std::move(busy)),
      request_id_(std::move(request_id)),
      trace_(trace) {
    busy_->fetch_add(1, std::memory_order_relaxed);
}

Waiting::~Waiting() {
    busy_->fetch_sub(1, std::memory_order_relaxed);
    const Error error{ErrorCode::internal, "The request was dropped without an answer."};
    if (!is_answered_) respond(http::error_response(error, request_id_));
}

void Waiting::respond(http::HttpResponse response) {
    if (is_answered_.exchange(true)) return http::report_undelivered(response);
    (void)take_hook();
    body_share_ = {};
    if (is_inside()) return call_.answer_inside(std::move(response));
    mailbox_->put({.recipient = recipient_, .response = std::move(response)});
}

http::ResponseStream Waiting::stream(http::HttpResponse head, http::StreamKind kind) {
    const auto channel = std::make_shared<http::StreamChannel>(
        std::move(head), kind,
        [recipient = recipient_, mailbox = mailbox_](std::shared_ptr<http::StreamChannel> woken) {
            mailbox->put({.recipient = recipient, .stream = std::move(woken)});
        });
    http::ResponseStream sender(std::make_shared<http::ChannelSender>(channel));
    if (is_answered_.exchange(true)) {
        channel->close();
        return sender;
    }
    (void)take_hook();
    body_share_ = {};
    mailbox_->put({.recipient = recipient_, .stream = channel});
    return sender;
}

void Waiting::admit(http::HttpRequest head, std::string client) {
    if (is_answered_.exchange(true)) return;
    head_ = std::move(head);
    if (is_inside()) return call_.admit_inside(std::move(client));
    mailbox_->put({.recipient = recipient_, .admitted = std::move(client)});
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
