#include "api/grpc/mailbox.hpp"

#include <utility>

#include "api/grpc/call.hpp"

namespace millrace::rpc {

namespace {

void deliver(Delivery& delivery) {
    if (delivery.is_drain) {
        delivery.call->drain();
    } else if (delivery.stream) {
        delivery.call->go_on(delivery.stream);
    } else {
        delivery.call->answer(std::move(delivery.response));
    }
}

void drop(Delivery& delivery) {
    if (delivery.stream) {
        delivery.stream->close();
    } else if (delivery.response.on_undelivered) {
        delivery.response.on_undelivered();
    }
}

}  // namespace

Mailbox::Mailbox(std::string name) : loop_(std::move(name), [this] { return run_once(); }) {}

void Mailbox::put(Delivery delivery) {
    bool is_dropped = false;
    bool was_empty = false;
    {
        const MutexLock lock(mutex_);
        is_dropped = is_closed_;
        was_empty = deliveries_.empty();
        if (!is_dropped) deliveries_.push_back(std::move(delivery));
    }
    if (is_dropped) return drop(delivery);
    if (was_empty) loop_.wake();
}

void Mailbox::close() {
    std::vector<Delivery> left;
    {
        const MutexLock lock(mutex_);
        is_closed_ = true;
        std::swap(left, deliveries_);
    }
    for (Delivery& delivery : left) drop(delivery);
}

runtime::Loop::Next Mailbox::run_once() {
    std::vector<Delivery> deliveries;
    {
        const MutexLock lock(mutex_);
        std::swap(deliveries, deliveries_);
    }
    for (Delivery& delivery : deliveries) deliver(delivery);
    return {.at_once = !deliveries.empty()};
}

}  // namespace millrace::rpc
