#pragma once

#include <functional>
#include <memory>
#include <string>

#include "api/http/message.hpp"
#include "api/http/response_stream.hpp"
#include "base/trace_context.hpp"

namespace millrace::http {

// A request that waits for its answer, as its handler sees it. Thread-safe.
class Exchange {
public:
    virtual ~Exchange() = default;

    virtual const std::string& request_id() const = 0;

    // Its place in a trace; absent for none.
    virtual TraceContext trace() const = 0;

    // Answers the request. A second answer is dropped: its on_undelivered is called.
    virtual void respond(HttpResponse response) = 0;

    // Answers the request with a body that follows piece by piece; that of `head` comes first. As a
    // second answer it is over from the start. What is not delivered is told to on_closed of the
    // stream, not to on_undelivered.
    virtual ResponseStream stream(HttpResponse head, StreamKind kind) = 0;

    // The hook is called, at most once, when the client goes away before the answer; at once when
    // it is gone already. A later hook replaces an earlier one.
    virtual void on_client_gone(std::function<void()> hook) = 0;
};

// What a handler keeps until it knows the answer. May be copied, called from any thread, and must
// be called once; when the last copy dies without that, the client gets a 500.
class Responder {
public:
    explicit Responder(std::shared_ptr<Exchange> exchange) : exchange_(std::move(exchange)) {}

    void operator()(HttpResponse response) const { exchange_->respond(std::move(response)); }
    ResponseStream stream(HttpResponse head, StreamKind kind) const {
        return exchange_->stream(std::move(head), kind);
    }
    void on_client_gone(std::function<void()> hook) const {
        exchange_->on_client_gone(std::move(hook));
    }
    const std::string& request_id() const { return exchange_->request_id(); }
    TraceContext trace() const { return exchange_->trace(); }

private:
    std::shared_ptr<Exchange> exchange_;
};

using Handler = std::function<void(HttpRequest request, Responder respond)>;

}  // namespace millrace::http
