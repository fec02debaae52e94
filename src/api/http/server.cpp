#include "api/http/server.hpp"

#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/v6_only.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>

#include <algorithm>

#include "api/http/session.hpp"

namespace millrace::http {

namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;
using namespace std::chrono_literals;

// When the process has no descriptor left, trying again at once only burns the processor.
constexpr auto kAcceptPause = 100ms;

bool is_missing_address(const error_code& error) {
    return error == asio::error::address_family_not_supported ||
           error == boost::system::errc::address_not_available;
}

std::shared_ptr<Connection> make_session(Loop& loop, TcpStream stream) {
    return std::make_shared<Session>(loop, std::move(stream));
}

Error listen_error(const std::string& address, std::uint16_t port, const std::string& why) {
    return {ErrorCode::unavailable,
            "Cannot listen on " + address + " port " + std::to_string(port) + ": " + why + "."};
}

}  // namespace

struct Server::Listener {
    explicit Listener(asio::io_context& io) : acceptor(io.get_executor()), pause(io) {}

    // No SO_REUSEPORT: a second server on the port is a mistake and must hear of it.
    error_code open(const tcp::endpoint& endpoint) {
        error_code error;
        acceptor.open(endpoint.protocol(), error);
        if (!error) acceptor.set_option(asio::socket_base::reuse_address(true), error);
        if (!error && endpoint.address().is_v6()) {
            acceptor.set_option(asio::ip::v6_only(true), error);
        }
        if (!error) acceptor.bind(endpoint, error);
        if (!error) acceptor.listen(asio::socket_base::max_listen_connections, error);
        return error;
    }

    asio::basic_socket_acceptor<tcp, Socket::executor_type> acceptor;
    asio::steady_timer pause;
};

Server::Server(Service& service, observe::Metrics& metrics, observe::Log& log, ServerConfig config)
    : service_(service),
      log_(log),
      config_(std::move(config)),
      port_(config_.port),
      session_count_(metrics.http_connections) {
    for (int i = 0; i < std::max(1, config_.thread_count); ++i) {
        loops_.push_back(std::make_unique<Loop>(
            service_, config_.session, session_count_,
            config_.make_connection ? config_.make_connection : make_session));
    }
}

Server::~Server() {
    for (const auto& loop : loops_) loop->end();
    for (runtime::Thread& thread : threads_) thread.join();
    listeners_.clear();
}

Status Server::start() {
    if (config_.tls) {
        certificate_.emplace(*config_.tls, log_, service_.clock());
        if (Status status = certificate_->load(); !status) return status;
    }
    for (const std::string& address : config_.addresses) {
        if (Status status = listen(address); !status) return status;
    }
    if (listeners_.empty()) return listen_error(config_.addresses.at(0), port_, "no such address");

    for (const auto& listener : listeners_) accept(*listener);
    for (const auto& loop : loops_) {
        const std::string name = config_.name + "-" + std::to_string(threads_.size());
        threads_.emplace_back(name, [&loop = *loop] { loop.run(); });
    }
    log_.info("Listening.",
              {{"server", config_.name}, {"port", port_}, {"tls", config_.tls.has_value()}});
    return ok();
}

bool Server::drain(Duration patience) {
    begin_drain();
    return wait_for_drain(patience);
}

void Server::begin_drain() {
    // On the loop's thread, to which they belong.
    asio::post(loops_.front()->io(), [this] {
        for (const auto& listener : listeners_) {
            error_code error;
            listener->acceptor.close(error);
            listener->pause.cancel();
        }
    });
    for (const auto& loop : loops_) loop->drain();
}

void Server::cut_off() {
    for (const auto& loop : loops_) loop->cut_off();
}

Status Server::listen(const std::string& address) {
    error_code error;
    const asio::ip::address parsed = asio::ip::make_address(address, error);
    if (error) return listen_error(address, port_, "it is not an address");

    auto listener = std::make_unique<Listener>(loops_.front()->io());
    error = listener->open({parsed, port_});
    if (is_missing_address(error)) return ok();
    if (error) return listen_error(address, port_, error.message());
    port_ = listener->acceptor.local_endpoint().port();
    listeners_.push_back(std::move(listener));
    return ok();
}

void Server::accept(Listener& listener) {
    Loop& loop = *loops_[next_loop_];
    listener.acceptor.async_accept(
        loop.io(), [this, &listener, &loop](const error_code& error, Socket socket) {
            on_accepted(listener, loop, error, std::move(socket));
        });
}

void Server::on_accepted(Listener& listener, Loop& loop, const error_code& error, Socket socket) {
    if (!listener.acceptor.is_open()) return;
    if (error && error != asio::error::connection_aborted) {
        log_.warn("Cannot accept a connection.",
                  {{"server", config_.name}, {"what", error.message()}});
        listener.pause.expires_after(kAcceptPause);
        listener.pause.async_wait([this, &listener](const error_code&) {
            if (listener.acceptor.is_open()) accept(listener);
        });
        return;
    }
    // One above the limit is closed at once: better than leaving all of them waiting.
    if (!error && session_count_.value() < config_.connections_max) {
        loop.adopt(std::move(socket), certificate_ ? certificate_->current() : nullptr);
        next_loop_ = (next_loop_ + 1) % loops_.size();
    }
    accept(listener);
}

}  // namespace millrace::http
