#pragma once

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

namespace millrace {

struct RawResponse {
    int status = 0;
    std::string head{};  // Status line and fields.
    std::string body{};

    bool has(std::string_view text) const { return head.find(text) != std::string::npos; }
};

// A connection that sends exactly what a test says. Waits at most 20 s for anything.
class RawHttpClient {
public:
    explicit RawHttpClient(std::uint16_t port, int receive_buffer_bytes = 0)
        : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
        const timeval patience{.tv_sec = 20, .tv_usec = 0};
        ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
        ::setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
        const int one = 1;
        ::setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
        if (receive_buffer_bytes > 0) {
            ::setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &receive_buffer_bytes,
                         sizeof(receive_buffer_bytes));
        }
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(port);
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        is_connected_ =
            ::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0;
    }
    ~RawHttpClient() { close(); }

    RawHttpClient(const RawHttpClient&) = delete;
    RawHttpClient& operator=(const RawHttpClient&) = delete;

    bool is_connected() const { return is_connected_; }

    void send(std::string_view bytes) {
        while (!bytes.empty()) {
            const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
            if (sent <= 0) return;  // The server has closed; the answer tells why.
            bytes.remove_prefix(static_cast<std::size_t>(sent));
        }
    }

    // The beginning of an answer; status 0 when the connection ends before.
    RawResponse receive_head() {
        std::size_t head_end = 0;
        while ((head_end = received_.find("\r\n\r\n")) == std::string::npos) {
            if (!receive_more()) return {};
        }
        RawResponse response{.head = received_.substr(0, head_end + 2)};
        response.status = std::atoi(response.head.c_str() + 9);
        received_.erase(0, head_end + 4);
        return response;
    }

    // One answer with its body; status 0 when the connection ends before.
    RawResponse receive() {
        RawResponse response = receive_head();
        const std::size_t length = content_length(response.head);
        while (received_.size() < length) {
            if (!receive_more()) return {};
        }
        response.body = received_.substr(0, length);
        received_.erase(0, length);
        return response;
    }

    // One chunk of a body; empty for the last one, and when the connection ends before.
    std::string receive_chunk() {
        std::size_t line_end = 0;
        while ((line_end = received_.find("\r\n")) == std::string::npos) {
            if (!receive_more()) return {};
        }
        const std::size_t length = std::strtoull(received_.c_str(), nullptr, 16);
        while (received_.size() < line_end + length + 4) {
            if (!receive_more()) return {};
        }
        std::string chunk = received_.substr(line_end + 2, length);
        received_.erase(0, line_end + length + 4);
        return chunk;
    }

    // All chunks of a body up to its end.
    std::string receive_chunks() {
        std::string body;
        while (true) {
            const std::string chunk = receive_chunk();
            if (chunk.empty()) return body;
            body += chunk;
        }
    }

    // Everything until the server closes.
    std::string receive_rest() {
        while (receive_more()) {
        }
        return std::exchange(received_, {});
    }

    RawResponse exchange(std::string_view bytes) {
        send(bytes);
        return receive();
    }

    // True when the server has closed and nothing is left to read.
    bool is_at_end() {
        if (!received_.empty()) return false;
        return !receive_more() && has_ended_;
    }

    void shut_down_sending() { ::shutdown(socket_, SHUT_WR); }

    void close() {
        if (socket_ >= 0) ::close(std::exchange(socket_, -1));
    }

    // With a reset instead of an orderly end.
    void abort() {
        const linger now{.l_onoff = 1, .l_linger = 0};
        ::setsockopt(socket_, SOL_SOCKET, SO_LINGER, &now, sizeof(now));
        close();
    }

    // Whether an answer or the end is there, or comes within that time.
    bool can_read_within(std::chrono::milliseconds patience) const {
        pollfd waited{.fd = socket_, .events = POLLIN, .revents = 0};
        return ::poll(&waited, 1, static_cast<int>(patience.count())) == 1;
    }

    int descriptor() const { return socket_; }

    static std::size_t content_length(const std::string& head) {
        const std::size_t at = head.find("Content-Length: ");
        if (at == std::string::npos) return 0;
        return static_cast<std::size_t>(std::atoll(head.c_str() + at + 16));
    }

private:
    bool receive_more() {
        char buffer[65536];
        const ssize_t count = ::recv(socket_, buffer, sizeof(buffer), 0);
        has_ended_ = count == 0 || (count < 0 && errno == ECONNRESET);
        if (count <= 0) return false;
        received_.append(buffer, static_cast<std::size_t>(count));
        return true;
    }

    int socket_ = -1;
    bool is_connected_ = false;
    bool has_ended_ = false;
    std::string received_{};
};

}  // namespace millrace
