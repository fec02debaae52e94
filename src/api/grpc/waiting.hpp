#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "api/http/body_budget.hpp"
#include "api/http/exchange.hpp"
#include "api/http/mailbox.hpp"
#include "base/mutex.hpp"

namespace millrace::rpc {

class Call;

// A call that waits for its answer, as its handler sees it. Answers given inside the handler's call
// go straight to the call, all others through the mailbox of its loop.
class Waiting final : public http::Exchange {
public:
    // `busy` counts the requests of the connection that somebody works on.
    Waiting(Call& call, std::shared_ptr<http::Mailbox> mailbox,
            std::shared_ptr<std::atomic<int>> busy, std::string request_id, TraceContext trace);
    ~Waiting() override;

    const std::string& request_id() const override { return request_id_; }
    TraceContext trace() const override { return trace_; }
    void respond(http::HttpResponse response) override;
    http::ResponseStream stream(http::HttpResponse head, http::StreamKind kind) override;
    void on_client_gone(std::function<void()> hook) override;

    // Its caller is known: the message may come. As good as an answer.
    void admit(http::HttpRequest head, std::string client);
    // What admit() brought, on the thread of the loop.
    http::HttpRequest take_head() { return std::move(head_); }

    // Before the handler is called: what the message takes of the budget, until there is an answer.
    void keep(http::BodyBudget::Share share) { body_share_ = std::move(share); }
    void leave_handler() { is_in_handler_ = false; }
    void client_gone();
    // The call has ended without an answer: none is expected any more.
    void give_up();

private:
    bool is_inside() const { return is_in_handler_ && std::this_thread::get_id() == loop_thread_; }
    std::function<void()> take_hook(bool is_gone = false);

    Call& call_;  // Only inside the handler's call.
    const std::weak_ptr<http::Recipient> recipient_;
    const std::shared_ptr<http::Mailbox> mailbox_;
    const std::shared_ptr<std::atomic<int>> busy_;
    const std::string request_id_;
    const TraceContext trace_;
    const decltype(std::this_thread::get_id()) loop_thread_ = std::this_thread::get_id();
    std::atomic<bool> is_in_handler_{true};
    http::HttpRequest head_{};
    http::BodyBudget::Share body_share_{};
    std::atomic<bool> is_answered_{false};
    Mutex mutex_;
    std::function<void()> hook_ MILLRACE_GUARDED_BY(mutex_);
    bool is_client_gone_ MILLRACE_GUARDED_BY(mutex_) = false;
};

}  // namespace millrace::rpc
