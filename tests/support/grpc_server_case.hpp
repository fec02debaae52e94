#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "support/grpc_test_server.hpp"

namespace millrace {

// Keeps calls as a handler does that waits for something.
class ParkedCalls {
public:
    http::Handler handler() {
        return [this](http::HttpRequest request, const http::Responder& respond) {
            respond.on_client_gone([this] { note_gone(); });
            const std::lock_guard lock(mutex_);
            bodies_.push_back(std::move(request.body));
            parked_.push_back(respond);
            changed_.notify_all();
        };
    }
    void wait_for(std::size_t count) {
        std::unique_lock lock(mutex_);
        ASSERT_TRUE(changed_.wait_for(lock, std::chrono::seconds(30),
                                      [&] { return parked_.size() >= count; }));
    }
    void wait_for_gone(std::size_t count) {
        std::unique_lock lock(mutex_);
        ASSERT_TRUE(
            changed_.wait_for(lock, std::chrono::seconds(30), [&] { return gone_ >= count; }));
    }
    std::vector<http::Responder> take() {
        const std::lock_guard lock(mutex_);
        return std::exchange(parked_, {});
    }

private:
    void note_gone() {
        const std::lock_guard lock(mutex_);
        ++gone_;
        changed_.notify_all();
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<std::string> bodies_;
    std::vector<http::Responder> parked_;
    std::size_t gone_ = 0;
};

// A server with some routes, and clients of it.
class GrpcServerCase : public testing::Test {
protected:
    void serve(http::ServiceConfig config = {}) {
        server.router().add("POST", "/echo", Access::view,
                            [](http::HttpRequest request, const http::Responder& respond) {
                                respond({.body = std::move(request.body)});
                            });
        server.router().add("POST", "/park", Access::view, parked.handler());
        server.router().add("POST", "/headers", Access::view, show_headers);
        server.router().add("POST", "/count", Access::view, count_letters);
        server.router().add("POST", "/free", Access::open,
                            [](const http::HttpRequest&, const http::Responder& respond) {
                                respond({.body = "free"});
                            });
        server.router().add("POST", "/list", Access::view,
                            [](http::HttpRequest request, const http::Responder& respond) {
                                respond({.body = std::to_string(request.body.size())});
                            });
        server.start({"echo", "park", "headers", "count", "free", "lost", "list"}, config);
    }

    static void show_headers(const http::HttpRequest& request, const http::Responder& respond) {
        std::string shown = request.remote_address;
        for (const char* name : {"Host", "Authorization", "Millrace-Workspace", "Idempotency-Key",
                                 "traceparent", "Cookie"}) {
            shown += "|" + std::string(request.headers.find(name).value_or("-")) + "*" +
                     std::to_string(request.headers.count(name));
        }
        respond({.body = shown + "|" + request.request_id});
    }
    // As many letters as the message has, each a piece of a stream.
    static void count_letters(const http::HttpRequest& request, const http::Responder& respond) {
        const http::ResponseStream stream = respond.stream({}, http::StreamKind::whole);
        for (const char letter : request.body) stream.write({&letter, 1});
        stream.end();
    }

    grpc::Status ask(const std::string& method, std::string message, std::string* reply = nullptr,
                     const TestCall::Metadata& metadata = {}) {
        TestCall asked(server.channel(), method, std::move(message), metadata);
        const grpc::Status status = asked.start().wait();
        if (reply != nullptr) *reply = asked.reply();
        return status;
    }
    bool has_log_line(std::string_view part) {
        const auto lines = server.log_lines();
        return std::ranges::any_of(
            lines, [part](const std::string& line) { return line.find(part) != line.npos; });
    }

    ParkedCalls parked;
    GrpcTestServer server;
};

}  // namespace millrace
