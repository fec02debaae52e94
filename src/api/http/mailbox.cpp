#include "api/http/mailbox.hpp"

#include <utility>

#include "api/http/stream_channel.hpp"

namespace millrace::http {

void report_undelivered(const HttpResponse& response) {
    if (response.on_undelivered) response.on_undelivered();
}

void report_undelivered(const Delivery& delivery) {
    if (delivery.stream) {
        delivery.stream->close();
    } else {
        report_undelivered(delivery.response);
    }
}

void Mailbox::put(Delivery delivery) {
    {
        const MutexLock lock(mutex_);
        if (!is_closed_) {
            const bool was_empty = deliveries_.empty();
            deliveries_.push_back(std::move(delivery));
            if (was_empty) wake_();
            return;
        }
    }
    report_undelivered(delivery);
}

std::vector<Delivery> Mailbox::take() {
    const MutexLock lock(mutex_);
    return std::exchange(deliveries_, {});
}

void Mailbox::close() {
    const MutexLock lock(mutex_);
    is_closed_ = true;
}

}  // namespace millrace::http
