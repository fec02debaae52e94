#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api/http/connection.hpp"
#include "api/http/message.hpp"
#include "base/mutex.hpp"

namespace millrace::http {

// An answer, or a part of one, on its way to its connection.
struct Delivery {
    std::weak_ptr<Recipient> recipient{};
    HttpResponse response{};
    std::shared_ptr<StreamChannel> stream{};  // When set, there is something in it instead.
    std::optional<std::string> admitted{};    // When set, this client's body may come instead.
};

// Where any thread leaves answers for the connections of one loop. The loop is woken once for all
// that gather until it looks, not once for each.
class Mailbox {
public:
    // `wake` makes the loop call take() soon; called with the lock held, so it only posts.
    explicit Mailbox(std::function<void()> wake) : wake_(std::move(wake)) {}

    // When the loop has ended, the answer is undelivered.
    void put(Delivery delivery);
    std::vector<Delivery> take();

    // Nothing is taken any more. `wake` is not called again.
    void close();

private:
    Mutex mutex_;
    std::function<void()> wake_ MILLRACE_GUARDED_BY(mutex_);
    std::vector<Delivery> deliveries_ MILLRACE_GUARDED_BY(mutex_);
    bool is_closed_ MILLRACE_GUARDED_BY(mutex_) = false;
};

void report_undelivered(const HttpResponse& response);
void report_undelivered(const Delivery& delivery);

}  // namespace millrace::http
