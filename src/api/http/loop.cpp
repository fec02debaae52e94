#include "api/http/loop.hpp"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>

#include <algorithm>

#include "api/http/session.hpp"

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

Loop::Loop(Service& service, SessionLimits limits, SessionCount& session_count)
    : service_(service),
      limits_(limits),
      session_count_(session_count),
      tick_duration_(tick_for(limits)) {
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
        start_session(TcpStream(std::move(moved), tls.get()));
    });
}

void Loop::drain() {
    boost::asio::post(io_, [this] {
        is_draining_ = true;
        const auto sessions = sessions_;  // Closing one changes the list.
        for (const auto& session : sessions) session->drain();
    });
}

void Loop::end() {
    boost::asio::post(io_, [this] {
        mailbox_->close();
        for (const Delivery& delivery : mailbox_->take()) report_undelivered(delivery);
        const auto sessions = sessions_;
        for (const auto& session : sessions) session->close();
        io_.stop();
    });
}

std::uint64_t Loop::deadline_after(Duration timeout) const {
    const auto ticks = (timeout + tick_duration_ - Duration(1)) / tick_duration_;
    return ticks_ + static_cast<std::uint64_t>(ticks) + 1;
}

void Loop::remove(Session& session) {
    const std::size_t index = session.index;
    std::swap(sessions_[index], sessions_.back());
    sessions_[index]->index = index;
    sessions_.pop_back();
    session_count_.remove();
}

void Loop::start_session(TcpStream stream) {
    auto session = std::make_shared<Session>(*this, std::move(stream));
    session->index = sessions_.size();
    sessions_.push_back(session);
    session->start();
}

void Loop::deliver() {
    for (Delivery& delivery : mailbox_->take()) {
        const auto session = delivery.session.lock();
        if (!session) {
            report_undelivered(delivery);
        } else if (delivery.stream) {
            session->go_on(delivery.stream);
        } else if (delivery.admitted) {
            session->admit(std::move(*delivery.admitted));
        } else {
            session->answer(std::move(delivery.response));
        }
    }
}

void Loop::tick() {
    ++ticks_;
    // Backwards: whoever closes is replaced by the last one, which has been looked at.
    for (std::size_t i = sessions_.size(); i-- > 0;) {
        if (i >= sessions_.size()) continue;
        const std::shared_ptr<Session> session = sessions_[i];
        session->check_deadline(ticks_);
    }
    timer_.expires_after(tick_duration_);
    timer_.async_wait([this](const boost::system::error_code& error) {
        if (!error) tick();
    });
}

}  // namespace millrace::http
