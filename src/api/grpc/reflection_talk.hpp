#pragma once

#include <string>

#include "api/grpc/calls.hpp"
#include "api/grpc/stream.hpp"

namespace millrace::rpc {

// One conversation with the reflection service: an answer to each message, until the client has no
// more. What it says is no secret: it is in the files that we give away. So nobody is asked for a
// key, and what it takes is bounded instead.
class ReflectionTalk final : public Talk {
public:
    ReflectionTalk(Calls& calls, Stream& stream);
    ~ReflectionTalk() override;

    void begin() override;
    bool has_room_for(std::size_t bytes) override;
    void on_message(std::string message) override;
    void on_half_closed() override;
    void on_bad_message(const CallStatus& status) override { stream_.finish(status); }
    void on_written() override;
    void on_drain() override;
    void on_tick(Instant now) override;
    void on_gone() override {}

private:
    Calls& calls_;
    Stream& stream_;
    Instant since_;  // The client has done nothing.
    int questions_ = 0;
    std::size_t unread_ = 0;
};

}  // namespace millrace::rpc
