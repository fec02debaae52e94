#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "api/grpc/call_head.hpp"
#include "api/grpc/message_reader.hpp"
#include "api/grpc/trailers.hpp"
#include "api/http/body_budget.hpp"
#include "base/clock.hpp"
#include "core/limits.hpp"

namespace millrace::rpc {

class Connection;

// Whoever answers a call. All on the thread of its connection's loop. After finish() of its stream
// and after on_gone() it hears nothing more and must not use the stream.
class Talk {
public:
    virtual ~Talk() = default;

    virtual void begin() = 0;
    // Its beginning tells how long it will be: false when there is no room for it. The talk has
    // finished the call then.
    virtual bool has_room_for(std::size_t) { return true; }
    virtual void on_message(std::string message) = 0;
    // There are no more messages.
    virtual void on_half_closed() = 0;
    // All that was sent is on its way.
    virtual void on_written() {}
    virtual void on_drain() = 0;
    virtual void on_tick(Instant now) = 0;
    // The time is over that the client has given the call.
    virtual void on_overdue() {}
    // A message that cannot be taken: the talk finishes the call with this.
    virtual void on_bad_message(const CallStatus& status) = 0;
    // The client has left the call, or the connection is lost.
    virtual void on_gone() = 0;
};

// One call of a connection: an HTTP/2 stream. Messages come only after read_on(): before, a
// client can send as much as fits in the stream's window.
class Stream {
public:
    Stream(Connection& connection, std::int32_t id) : connection_(connection), id_(id) {}

    // For the talk.
    const CallHead& head() const { return head_; }
    Connection& connection() { return connection_; }
    void add_header(std::string name, std::string value) {
        headers_.emplace_back(std::move(name), std::move(value));
    }
    void read_on();
    void send(std::string_view message);
    void finish(const CallStatus& status, const Fields& notes = {});
    // Called when what was sent last did surely not reach the client.
    void on_undelivered(std::function<void()> hook) { on_undelivered_ = std::move(hook); }
    // What there is to send takes of the budget, until it is sent.
    void keep(http::BodyBudget::Share share) { share_ = std::move(share); }
    bool has_unsent() const { return sent_ < output_.size(); }

private:
    friend class Connection;

    void take_input(std::string_view bytes);
    void take_messages();
    std::size_t give_output(std::uint8_t* into, std::size_t most);
    bool is_stuck(Instant now) const;

    Connection& connection_;
    const std::int32_t id_;
    CallHead head_{};
    std::shared_ptr<Talk> talk_{};  // Null once it has heard of the end.
    Fields headers_{};
    MessageReader reader_{limits::kBodyBytesMax};
    std::uint64_t due_ = 0;           // In ticks of the loop; 0 is never.
    std::size_t unacknowledged_ = 0;  // Of the input: the window stays that much smaller.
    bool is_reading_ = false;
    bool is_half_closed_ = false;  // By the client.
    bool is_half_close_told_ = false;
    bool is_begun_ = false;  // Our headers are on their way.
    bool is_taking_ = false;
    std::string output_{};
    std::size_t sent_ = 0;  // Of `output_`.
    std::optional<Fields> trailers_{};
    Instant moved_at_{};  // When the client has last taken something of what there is for it.
    std::function<void()> on_undelivered_{};
    http::BodyBudget::Share share_{};
};

}  // namespace millrace::rpc
