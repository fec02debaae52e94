#pragma once

#include <memory>
#include <string>
#include <vector>

#include "api/http/message.hpp"
#include "api/http/stream_channel.hpp"
#include "base/mutex.hpp"
#include "runtime/loop.hpp"

namespace millrace::rpc {

class Call;

// What is to be done for a call: its answer, something new in its stream, or the end of it because
// the server stops.
struct Delivery {
    std::shared_ptr<Call> call{};
    http::HttpResponse response{};
    std::shared_ptr<http::StreamChannel> stream{};  // When set, there is something in it instead.
    bool is_drain = false;                          // When set, nothing else is.
};

// Where any thread leaves answers for calls. Committers must not be kept by serialising and
// writing, so a loop of its own does that. All of one call goes through one mailbox.
class Mailbox {
public:
    explicit Mailbox(std::string name);

    runtime::Loop& loop() { return loop_; }

    // When the loop has ended, the answer is undelivered.
    void put(Delivery delivery);

    // The loop runs no more: nothing is taken from now on.
    void close();

private:
    runtime::Loop::Next run_once();

    Mutex mutex_;
    std::vector<Delivery> deliveries_ MILLRACE_GUARDED_BY(mutex_);
    bool is_closed_ MILLRACE_GUARDED_BY(mutex_) = false;
    runtime::Loop loop_;
};

}  // namespace millrace::rpc
