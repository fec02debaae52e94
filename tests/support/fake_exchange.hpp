#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "api/http/exchange.hpp"

namespace millrace {

// A stream whose client reads all at once. Keeps what was written, and goes away when told to.
class FakeStream final : public http::StreamBody {
public:
    bool write(std::string_view bytes) override {
        if (is_lost_) close();
        if (is_open_) text_ += bytes;
        return is_open_;
    }
    void end(http::StreamEnd why) override {
        if (is_open_) why_ended_ = why;
        is_ended_ = std::exchange(is_open_, false) || is_ended_;
    }
    bool is_open() const override { return is_open_; }
    std::size_t buffered() const override { return 0; }
    void on_drained(std::function<void()> hook) override { on_drained_ = std::move(hook); }
    void on_closed(std::function<void()> hook) override { on_closed_ = std::move(hook); }

    const std::string& text() const { return text_; }
    bool is_ended() const { return is_ended_; }
    http::StreamEnd why_ended() const { return why_ended_; }
    // The loop's part: calls the hook that waits for the client to read. False without one.
    bool drain() {
        const auto hook = std::exchange(on_drained_, nullptr);
        if (hook) hook();
        return hook != nullptr;
    }
    void close() {
        is_open_ = false;
        if (const auto hook = std::exchange(on_closed_, nullptr)) hook();
    }
    // The next write finds out, as it does when the loop has ended.
    void lose() { is_lost_ = true; }

private:
    bool is_open_ = true;
    bool is_lost_ = false;
    bool is_ended_ = false;
    http::StreamEnd why_ended_ = http::StreamEnd::complete;
    std::string text_;
    std::function<void()> on_drained_;
    std::function<void()> on_closed_;
};

// A request without a socket. Keeps its answer for the test.
class FakeExchange final : public http::Exchange {
public:
    explicit FakeExchange(std::string request_id) : request_id_(std::move(request_id)) {}
    // A connection always ends, and what it carries with it.
    ~FakeExchange() override {
        if (stream_ != nullptr) stream_->close();
    }

    const std::string& request_id() const override { return request_id_; }
    TraceContext trace() const override { return {}; }
    void respond(http::HttpResponse response) override { answer_ = std::move(response); }
    http::ResponseStream stream(http::HttpResponse head, http::StreamKind) override {
        answer_ = std::move(head);
        stream_ = std::make_shared<FakeStream>();
        return http::ResponseStream(stream_);
    }
    void on_client_gone(std::function<void()> hook) override { hook_ = std::move(hook); }

    const std::optional<http::HttpResponse>& answer() const { return answer_; }
    const std::shared_ptr<FakeStream>& stream() const { return stream_; }
    void client_gone() { hook_(); }

private:
    std::string request_id_;
    std::optional<http::HttpResponse> answer_;
    std::shared_ptr<FakeStream> stream_;
    std::function<void()> hook_;
};

}  // namespace millrace
