#pragma once

#include <optional>
#include <string>

#include "api/grpc/calls.hpp"
#include "api/grpc/stream.hpp"

namespace millrace::rpc {

// A question for the health of a service, once or for as long as the client stays. Nobody is asked
// for a key here, so there is room for a number of them.
class HealthTalk final : public Talk {
public:
    HealthTalk(Calls& calls, Stream& stream);
    ~HealthTalk() override;

    void begin() override;
    void on_message(std::string message) override;
    void on_half_closed() override;
    void on_bad_message(const CallStatus& status) override { stream_.finish(status); }
    void on_drain() override {}
    void on_tick(Instant now) override;
    void on_gone() override {}

private:
    void tell(Health::State state);

    Calls& calls_;
    Stream& stream_;
    const bool is_watch_;
    const Instant since_;
    std::optional<std::string> service_{};  // Once it is asked for.
    Health::State told_ = Health::State::unknown_service;
};

}  // namespace millrace::rpc
