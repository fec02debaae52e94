#include "load/http_connection.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <charconv>
#include <stdexcept>
#include <utility>

namespace millrace::bench {

namespace {

constexpr auto kPatience = std::chrono::seconds(60);
constexpr std::size_t kReadBytes = 64u << 10;

int connected_socket(std::uint16_t port) {
    const int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const int is_on = 1;
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &is_on, sizeof is_on);
    if (connect(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
        throw std::runtime_error(fmt::format("there is no server on port {}", port));
    }
    return descriptor;
}

int status_of(std::string_view head) {
    int status = 0;
    const std::size_t blank = head.find(' ');
    if (blank != std::string_view::npos) {
        std::from_chars(head.data() + blank + 1, head.data() + head.size(), status);
    }
    return status;
}

// Absent means empty: our server never sends chunks.
std::size_t content_length(std::string_view head) {
    constexpr std::string_view kName = "\r\nContent-Length: ";
    std::size_t length = 0;
    const std::size_t at = head.find(kName);
    if (at != std::string_view::npos) {
        std::from_chars(head.data() + at + kName.size(), head.data() + head.size(), length);
    }
    return length;
}

}  // namespace

HttpConnection::HttpConnection(EventLoop& loop, std::uint16_t port)
    : loop_(loop), socket_(connected_socket(port)), readable_([this] { on_readable(); }) {
    loop_.watch(socket_, readable_);
}

HttpConnection::~HttpConnection() {
    loop_.forget(socket_);
    close(socket_);
}

void HttpConnection::post(std::string_view path, std::string_view body, OnBody on_body) {
    on_body_ = std::move(on_body);
    const std::string request = fmt::format(
        "POST {} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
        "Content-Length: {}\r\n\r\n{}",
        path, body.size(), body);
    // The socket blocks when its buffer is full, which no request here fills.
    const ssize_t sent = send(socket_, request.data(), request.size(), MSG_NOSIGNAL);
    if (sent != static_cast<ssize_t>(request.size())) {
        throw std::runtime_error("the server closed a connection");
    }
}

std::string HttpConnection::post_and_wait(std::string_view path, std::string_view body) {
    std::string answer;
    bool is_done = false;
    post(path, body, [&](std::string_view received) {
        answer = received;
        is_done = true;
    });
    if (!loop_.run_until(Clock::now() + kPatience, [&] { return is_done; })) {
        throw std::runtime_error(fmt::format("no answer to {}", path));
    }
    return answer;
}

void HttpConnection::on_readable() {
    const std::size_t size_before = received_.size();
    received_.resize(size_before + kReadBytes);
    const ssize_t count = recv(socket_, received_.data() + size_before, kReadBytes, MSG_DONTWAIT);
    received_.resize(size_before + static_cast<std::size_t>(count > 0 ? count : 0));
    if (count == 0) throw std::runtime_error("the server closed a connection");
    if (count > 0) take_reply();
}

void HttpConnection::take_reply() {
    const std::size_t head_end = received_.find("\r\n\r\n");
    if (head_end == std::string::npos) return;
    const std::string_view head = std::string_view(received_).substr(0, head_end + 2);
    const std::size_t length = content_length(head);
    if (received_.size() < head_end + 4 + length) return;

    const int status = status_of(head);
    const std::string reply = std::exchange(received_, {});
    const std::string_view body = std::string_view(reply).substr(head_end + 4, length);
    if (status < 200 || status > 299) {
        throw std::runtime_error(fmt::format("the server answered {}: {}", status, body));
    }
    const OnBody on_body = std::exchange(on_body_, {});
    on_body(body);
}

}  // namespace millrace::bench
