#include "support/tcp_proxy.hpp"

#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstddef>

#include "base/check.hpp"

namespace millrace {

namespace {

constexpr int kPollMilliseconds = 10;

sockaddr_in loopback(int port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

// Passes on what has come. False when one of the two is gone.
bool pass_on(int from, int to) {
    std::array<char, 1 << 16> bytes{};
    const ssize_t count = recv(from, bytes.data(), bytes.size(), 0);
    if (count <= 0) return false;
    for (ssize_t sent = 0; sent < count;) {
        const ssize_t more =
            send(to, bytes.data() + sent, static_cast<std::size_t>(count - sent), MSG_NOSIGNAL);
        if (more <= 0) return false;
        sent += more;
    }
    return true;
}

}  // namespace

TcpProxy::TcpProxy(int upstream_port) : upstream_port_(upstream_port) {
    listener_ = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address = loopback(0);
    auto* generic = reinterpret_cast<sockaddr*>(&address);
    socklen_t size = sizeof(address);
    MILLRACE_CHECK(bind(listener_, generic, size) == 0 && listen(listener_, 16) == 0);
    MILLRACE_CHECK(getsockname(listener_, generic, &size) == 0);
    port_ = ntohs(address.sin_port);
    acceptor_ = std::thread([this] { accept_all(); });
}

TcpProxy::~TcpProxy() {
    close();
    for (std::thread& server : servers_) server.join();
}

void TcpProxy::cut() {
    ++cuts_;
}

void TcpProxy::close() {
    is_closed_ = true;
    if (acceptor_.joinable()) acceptor_.join();
    cut();
}

void TcpProxy::accept_all() {
    pollfd entry{.fd = listener_, .events = POLLIN, .revents = 0};
    while (!is_closed_) {
        if (poll(&entry, 1, kPollMilliseconds) <= 0) continue;
        const int client = accept(listener_, nullptr, nullptr);
        servers_.emplace_back([this, client, cuts = cuts_.load()] { serve(client, cuts); });
    }
    ::close(listener_);
}

void TcpProxy::serve(int client, int cuts) {
    const int server = socket(AF_INET, SOCK_STREAM, 0);
    const sockaddr_in address = loopback(upstream_port_);
    bool is_open =
        connect(server, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0;
    while (is_open && cuts_ == cuts) {
        std::array<pollfd, 2> entries{{{.fd = client, .events = POLLIN, .revents = 0},
                                       {.fd = server, .events = POLLIN, .revents = 0}}};
        if (poll(entries.data(), entries.size(), kPollMilliseconds) <= 0) continue;
        if (entries[0].revents != 0) is_open = pass_on(client, server);
        if (is_open && entries[1].revents != 0) is_open = pass_on(server, client);
    }
    ::close(client);
    ::close(server);
}

}  // namespace millrace
