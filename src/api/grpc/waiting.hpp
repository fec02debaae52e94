#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>

#include "api/grpc/mailbox.hpp"
#include "api/http/body_budget.hpp"
#include "api/http/exchange.hpp"
#include "base/mutex.hpp"

namespace millrace::rpc {

// A call that waits for its answer, as its handler sees it. Answers go through the mailbox.
class Waiting final : public http::Exchange {
public:
    Waiting(std::shared_ptr<Call> call, std::shared_ptr<Mailbox> mailbox, std::string request_id,
            TraceContext trace);
    ~Waiting() override;

    const std::string& request_id() const override { return request_id_; }
    TraceContext trace() const override { return trace_; }
    void respond(http::HttpResponse response) override;
    http::ResponseStream stream(http::HttpResponse head, http::StreamKind kind) override;
    void on_client_gone(std::function<void()> hook) override;

    // Before the handler is called: what the message takes of the budget, until there is an answer.
    void keep(http::BodyBudget::Share share) { body_share_ = std::move(share); }
    void client_gone();
    // The call has ended without an answer: none is expected any more.
    void give_up();

private:
    std::function<void()> take_hook(bool is_gone = false);

    const std::shared_ptr<Call> call_;
    const std::shared_ptr<Mailbox> mailbox_;
    const std::string request_id_;
    const TraceContext trace_;
    http::BodyBudget::Share body_share_{};
    std::atomic<bool> is_answered_{false};
    Mutex mutex_;
    std::function<void()> hook_ MILLRACE_GUARDED_BY(mutex_);
    bool is_client_gone_ MILLRACE_GUARDED_BY(mutex_) = false;
};

}  // namespace millrace::rpc
