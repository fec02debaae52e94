#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/http/message.hpp"
#include "api/http/router.hpp"
#include "api/rest/event_streams.hpp"
#include "api/rest/file_source.hpp"
#include "base/json/value.hpp"
#include "engine/query_queue.hpp"
#include "store/effects.hpp"
#include "store/reader.hpp"
#include "support/fake_clock.hpp"
#include "support/fake_exchange.hpp"

namespace millrace {

// What a caller sends to say who it is, and for whom; neither when empty.
http::HttpHeaders headers_of(const std::string& key, const std::string& workspace = {});

// A node in memory and the routes that lead to it, in one thread: the test calls every loop.
class RestEngine {
public:
    enum class Keys { not_asked_for, asked_for };

    explicit RestEngine(Keys keys = Keys::not_asked_for);
    ~RestEngine();

    // Puts a key into the store and returns its text.
    std::string add_key(Role role, std::optional<WorkspaceId> workspace_id = {});
    // As retention does.
    void remove_instance(const InstanceKey& key) { write({.instances_removed = {key}}); }
    // What the engine writes by itself: ends of executions elsewhere, for instance.
    void write(const Writes& writes);
    Reader& reader();

    struct Answer {
        int status = 0;
        std::string text{};
        json::Value body{};  // Null when the text is no JSON.

        // The text of a member, for brevity in tests.
        std::string operator[](std::string_view key) const;
    };

    // Sends a request and lets the engine work until there is nothing to do.
    std::shared_ptr<FakeExchange> send(std::string method, std::string_view target,
                                       std::string body = {}, const http::HttpHeaders& headers = {},
                                       const http::ClientTraits& client = {});

    Answer ask(std::string method, std::string_view target, std::string body = {},
               const http::HttpHeaders& headers = {}) {
        return answer_of(*send(std::move(method), target, std::move(body), headers));
    }
    Answer get(std::string_view target) { return ask("GET", target); }
    Answer post(std::string_view target, std::string body = {}) {
        return ask("POST", target, std::move(body));
    }

    static Answer answer_of(const FakeExchange& exchange);

    // Answers what was asked.
    void work();
    // Lets time pass, and what falls due happen.
    void pass(Duration time);
    // Lets in what waits in the queue, until there is nothing more to let in. What is to run
    // elsewhere stays CLAIMED.
    void dispatch();
    // The same for executions whose time has come.
    void make_due_ready();

    FakeClock& clock() { return clock_; }
    // From now on a line in the log is no surprise.
    void expect_log_lines() { is_quiet_ = false; }
    http::Router& router();
    rest::EventStreams& event_streams();
    QueryQueue& queries();

    std::vector<std::string> not_ready{};
    bool is_engine_enabled = true;
    Result<rest::FileToSend> backup = Error{ErrorCode::conflict, "no backup"};

private:
    struct Process;

    FakeClock clock_{Instant{std::chrono::seconds{1'800'000'000}}};
    bool is_quiet_ = true;
    std::unique_ptr<Process> process_;
};

}  // namespace millrace
