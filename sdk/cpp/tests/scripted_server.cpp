#include "scripted_server.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>

#include <algorithm>
#include <atomic>
#include <list>
#include <optional>
#include <thread>

#include "base/mutex.hpp"

namespace millrace::client {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using boost::asio::ip::tcp;
using boost::system::error_code;

std::string lower(std::string_view text) {
    std::string out(text);
    std::ranges::transform(out, out.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    return out;
}

Received received_from(const http::request<http::string_body>& request, int connection) {
    Received received{.method = std::string(request.method_string()),
                      .target = std::string(request.target()),
                      .body = request.body(),
                      .connection = connection};
    for (const auto& field : request) {
        received.headers[lower(field.name_string())] = std::string(field.value());
    }
    return received;
}

}  // namespace

Answer json_answer(int status, const std::string& body) {
    return {.bytes = "HTTP/1.1 " + std::to_string(status) +
                     " X\r\nContent-Type: application/json\r\nContent-Length: " +
                     std::to_string(body.size()) + "\r\n\r\n" + body};
}

Answer no_content() {
    return {.bytes = "HTTP/1.1 204 No Content\r\n\r\n"};
}

Answer hang_up() {
    return {.bytes = {}, .close_after = true};
}

class ScriptedServer::Listener {
public:
    Listener(Script script, const TlsIdentity& tls) : script_(std::move(script)) {
        if (!tls.key_file.empty()) {
            tls_.emplace(asio::ssl::context::tls_server);
            tls_->use_certificate_chain_file(tls.certificate_file);
            tls_->use_private_key_file(tls.key_file, asio::ssl::context::pem);
        }
        accepting_ = std::thread([this] { accept(); });
    }

    ~Listener() {
        stopping_ = true;
        // Only a shut down socket wakes a thread that blocks in it.
        ::shutdown(acceptor_.native_handle(), SHUT_RDWR);
        accepting_.join();
        {
            const MutexLock lock(mutex_);
            for (tcp::socket& socket : sockets_) ::shutdown(socket.native_handle(), SHUT_RDWR);
        }
        for (std::thread& thread : threads_) thread.join();
    }

    std::string url() const {
        return (tls_ ? "https://127.0.0.1:" : "http://127.0.0.1:") +
               std::to_string(acceptor_.local_endpoint().port());
    }
    int connections() const { return connections_; }
    Received latest() const {
        const MutexLock lock(mutex_);
        return latest_;
    }

private:
    void note(const Received& received) {
        const MutexLock lock(mutex_);
        latest_ = received;
    }

    void accept() {
        while (!stopping_) {
            error_code error;
            tcp::socket socket = acceptor_.accept(error);
            if (error) continue;
            const MutexLock lock(mutex_);
            tcp::socket& kept = sockets_.emplace_back(std::move(socket));
            const int number = ++connections_;
            threads_.emplace_back([this, &kept, number] { serve(kept, number); });
        }
    }

    void serve(tcp::socket& socket, int number) {
        error_code error;
        if (tls_) {
            asio::ssl::stream<tcp::socket&> stream(socket, *tls_);
            stream.handshake(asio::ssl::stream_base::server, error);
            if (!error) answer(stream, number);
        } else {
            answer(socket, number);
        }
        socket.shutdown(tcp::socket::shutdown_both, error);
    }

    template <class Stream>
    void answer(Stream& stream, int number) {
        boost::beast::flat_buffer buffer;
        error_code error;
        while (!error) {
            http::request<http::string_body> request;
            http::read(stream, buffer, request, error);
            if (error) break;
            const Received received = received_from(request, number);
            note(received);
            const Answer answer = script_(received);
            asio::write(stream, asio::buffer(answer.bytes), error);
            if (answer.close_after) break;
        }
    }

    const Script script_;
    std::optional<asio::ssl::context> tls_;
    std::atomic<bool> stopping_ = false;
    std::atomic<int> connections_ = 0;
    asio::io_context context_;
    tcp::acceptor acceptor_{context_, tcp::endpoint(asio::ip::address_v4::loopback(), 0)};
    mutable Mutex mutex_;
    Received latest_ MILLRACE_GUARDED_BY(mutex_);
    std::list<tcp::socket> sockets_ MILLRACE_GUARDED_BY(mutex_);
    std::list<std::thread> threads_;
    std::thread accepting_;
};

ScriptedServer::ScriptedServer(Script script, TlsIdentity tls)
    : listener_(std::make_unique<Listener>(std::move(script), tls)) {}

ScriptedServer::~ScriptedServer() = default;

std::string ScriptedServer::url() const {
    return listener_->url();
}

int ScriptedServer::connections() const {
    return listener_->connections();
}

Received ScriptedServer::latest() const {
    return listener_->latest();
}

}  // namespace millrace::client
