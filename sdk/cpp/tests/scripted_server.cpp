#include "scripted_server.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>

#include <atomic>
#include <list>
#include <thread>

#include "base/mutex.hpp"

namespace millrace::client {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using boost::asio::ip::tcp;
using boost::system::error_code;

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
    explicit Listener(Script script)
        : script_(std::move(script)), accepting_([this] { accept(); }) {}

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
        return "http://127.0.0.1:" + std::to_string(acceptor_.local_endpoint().port());
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
        boost::beast::flat_buffer buffer;
        error_code error;
        while (!error) {
            http::request<http::string_body> request;
            http::read(socket, buffer, request, error);
            if (error) break;
            const Received received{.method = std::string(request.method_string()),
                                    .target = std::string(request.target()),
                                    .body = request.body(),
                                    .connection = number};
            note(received);
            const Answer answer = script_(received);
            asio::write(socket, asio::buffer(answer.bytes), error);
            if (answer.close_after) break;
        }
        socket.shutdown(tcp::socket::shutdown_both, error);
    }

    const Script script_;
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

ScriptedServer::ScriptedServer(Script script)
    : listener_(std::make_unique<Listener>(std::move(script))) {}

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
