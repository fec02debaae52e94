#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "api/http/error_response.hpp"
#include "api/http/session.hpp"

namespace millrace::http {

// Answers given inside the handler's call go straight to the session, all others through the
// mailbox, even those of the loop's own thread: a session is never entered twice.
class Session::Waiting final : public Exchange {
public:
    Waiting(Session& session, BodyBudget::Share body_share)
        : session_(session),
          body_share_(std::move(body_share)),
          weak_session_(session.weak_from_this()),
          mailbox_(session.loop_.mailbox()),
          request_id_(session.trail_.request_id),
          trace_(session.trail_.trace) {}

    ~Waiting() override {
        const Error error{ErrorCode::internal, "The request was dropped without an answer."};
        if (!is_answered_) respond(error_response(error, request_id_));
    }

    const std::string& request_id() const override { return request_id_; }
    TraceContext trace() const override { return trace_; }

    void respond(HttpResponse response) override {
        if (is_answered_.exchange(true)) return report_undelivered(response);
        (void)take_hook();
        body_share_ = {};
        if (std::this_thread::get_id() == loop_thread_ && is_in_handler_) {
            session_.give(std::move(response));
        } else {
            mailbox_->put({.recipient = weak_session_, .response = std::move(response)});
        }
    }

    ResponseStream stream(HttpResponse head, StreamKind kind) override {
        const auto channel = std::make_shared<StreamChannel>(
            std::move(head), kind,
            [session = weak_session_, mailbox = mailbox_](std::shared_ptr<StreamChannel> woken) {
                mailbox->put({.recipient = session, .stream = std::move(woken)});
            });
        ResponseStream sender(std::make_shared<ChannelSender>(channel));
        if (is_answered_.exchange(true)) {
            channel->close();
            return sender;
        }
        (void)take_hook();
        body_share_ = {};
        if (std::this_thread::get_id() == loop_thread_ && is_in_handler_) {
            session_.begin_stream(channel);
        } else {
            mailbox_->put({.recipient = weak_session_, .stream = channel});
        }
        return sender;
    }

    // Of a request whose body is still to come: it may. As good as an answer.
    void admit(std::string client) {
        if (is_answered_.exchange(true)) return;
        if (std::this_thread::get_id() == loop_thread_ && is_in_handler_) {
            session_.let_body_come(std::move(client));
        } else {
            mailbox_->put({.recipient = weak_session_, .admitted = std::move(client)});
        }
    }

    void on_client_gone(std::function<void()> hook) override {
        {
            const MutexLock lock(mutex_);
            if (!is_client_gone_) {
                if (!is_answered_) std::swap(hook_, hook);
                return;
            }
        }
        if (!is_answered_) hook();
    }

    void client_gone() {
        const auto hook = take_hook(true);
        if (hook) hook();
    }

    void leave_handler() { is_in_handler_ = false; }

private:
    std::function<void()> take_hook(bool is_gone = false) {
        const MutexLock lock(mutex_);
        is_client_gone_ = is_client_gone_ || is_gone;
        return std::exchange(hook_, nullptr);
    }

    Session& session_;  // Only inside the handler's call.
    // Until there is an answer: whether the client stays or goes, what its handler has of the body
    // takes room.
    BodyBudget::Share body_share_;
    const std::weak_ptr<Session> weak_session_;
    const std::shared_ptr<Mailbox> mailbox_;
    const std::string request_id_;
    const TraceContext trace_;
    const decltype(std::this_thread::get_id()) loop_thread_ = std::this_thread::get_id();
    bool is_in_handler_ = true;  // Only looked at by the loop's thread.
    std::atomic<bool> is_answered_{false};
    Mutex mutex_;
    std::function<void()> hook_ MILLRACE_GUARDED_BY(mutex_);
    bool is_client_gone_ MILLRACE_GUARDED_BY(mutex_) = false;
};

}  // namespace millrace::http
