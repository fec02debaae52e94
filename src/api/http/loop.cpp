#include "api/http/loop.hpp"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>

#include <algorithm>

#include "api/http/stream_channel.hpp"

namespace millrace::http {

namespace {

using namespace std::chrono_literals;

// A quarter of the shortest time-out, so that none is late by much, and not more often than needed.
Duration tick_for(const SessionLimits& limits) {
    const Duration shortest = std::min(
        {limits.read_timeout, limits.write_timeout, limits.idle_timeout, limits.linger_timeout});
    return std::clamp<Duration>(shortest / 4, 1ms, 1s);
}

}  // namespace

Loop::Loop(Service& service, SessionLimits limits, SessionCount& session_count, MakeConnection make)
    : service_(service),
      limits_(limits),
      session_count_(session_count),
      tick_duration_(tick_for(limits)),
      make_(std::move(make)) {
    mailbox_ = std::make_shared<Mailbox>([this] { boost::asio::post(io_, [this] { deliver(); }); });
}

Loop::~Loop() {
    mailbox_->close();
}

void Loop::run() {
    const auto work = boost::asio::make_work_guard(io_);
    tick();
    io_.run();
}

void Loop::adopt(Socket socket, std::shared_ptr<const TlsContext> tls) {
    session_count_.add();
    boost::asio::post(io_, [this, moved = std::move(socket), tls = std::move(tls)]() mutable {
        start_connection(TcpStream(std::move(moved), tls.get()));
    });
}

void Loop::drain() {
    boost::asio::post(io_, [this] {
        is_draining_ = true;
        const auto connections = connections_;  // Closing one changes the list.
        for (const auto& connection : connections) connection->drain();
    });
}

void Loop::cut_off() {
    boost::asio::post(io_, [this] {
        const auto connections = connections_;
        for (const auto& connection : connections) connection->close();
    });
}

void Loop::end() {
    boost::asio::post(io_, [this] {
        mailbox_->close();
        for (const Delivery& delivery : mailbox_->take()) report_undelivered(delivery);
        const auto connections = connections_;
        for (const auto& connection : connections) connection->close();
        io_.stop();
    });
}

std::uint64_t Loop::deadline_after(Duration timeout) const {
    const auto ticks = (timeout + tick_duration_ - Duration(1)) / tick_duration_;
    return ticks_ + static_cast<std::uint64_t>(ticks) + 1;
}

void Loop::remove(Connection& connection) {
    const std::size_t index = connection.index;
    std::swap(connections_[index], connections_.back());
    connections_[index]->index = index;
    connections_.pop_back();
    session_count_.remove();
}

void Loop::start_connection(TcpStream stream) {
    auto connection = make_(*this, std::move(stream));
    connection->index = connections_.size();
    connections_.push_back(connection);
    connection->start();
}

void Loop::deliver() {
    for (Delivery& delivery : mailbox_->take()) {
        const auto recipient = delivery.recipient.lock();
        if (!recipient) {
            report_undelivered(delivery);
        } else if (delivery.stream) {
            recipient->go_on(delivery.stream);
        } else if (delivery.admitted) {
            recipient->admit(std::move(*delivery.admitted));
        } else {
            recipient->answer(std::move(delivery.response));
        }
    }
}

void Loop::tick() {
    ++ticks_;
    // Backwards: whoever closes is replaced by the last one, which has been looked at.
    for (std::size_t i = connections_.size(); i-- > 0;) {
        if (i >= connections_.size()) continue;
        const std::shared_ptr<Connection> connection = connections_[i];
        connection->check_deadline(ticks_);
    }
    timer_.expires_after(tick_duration_);
    timer_.async_wait([this](const boost::system::error_code& error) {
        if (!error) tick();
    });
}

}  // namespace millrace::http
