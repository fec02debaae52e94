#pragma once

#include <memory>
#include <string>

#include "api/grpc/calls.hpp"
#include "api/grpc/stream.hpp"
#include "api/grpc/waiting.hpp"
#include "api/http/stream_channel.hpp"

namespace millrace::rpc {

// One call of an rpc: finds out who calls, reads the message, hands it to the service as a request,
// writes the answer. All on the thread of its connection's loop; answers come there by the mailbox.
//
// Lives as long as its stream: an answer that comes later is undelivered.
class Call final : public Talk, public http::Recipient, public std::enable_shared_from_this<Call> {
public:
    Call(Calls& calls, Served& served, Stream& stream);
    ~Call() override;

    void begin() override;
    bool has_room_for(std::size_t bytes) override;
    void on_message(std::string message) override;
    void on_half_closed() override;
    void on_bad_message(const CallStatus& status) override { end(status); }
    void on_written() override;
    void on_drain() override;
    void on_tick(Instant now) override;
    void on_overdue() override;
    void on_gone() override;

    void answer(http::HttpResponse response) override;
    void admit(std::string client) override;
    void go_on(const std::shared_ptr<http::StreamChannel>& stream) override;

    // Of what Waiting hears inside the handler's call.
    void answer_inside(http::HttpResponse response);
    void admit_inside(std::string client);

private:
    // Admitting: who calls is being found out. Reading: the message comes. Handling: somebody
    // works on it. Streaming: the answer has begun.
    enum class State { admitting, reading, handling, streaming, over };

    http::HttpRequest request_head();
    std::shared_ptr<Waiting> new_waiting();
    void read_message(http::HttpRequest head, std::string client);
    Result<RestCall> rest_call(const std::string& message, Waiting& waiting);
    void handle(std::string message);
    void write_reply(std::string reply, http::HttpResponse response);

    // call_stream.cpp
    void begin_stream(const std::shared_ptr<http::StreamChannel>& stream);
    void stream_on();
    bool send_replies(std::string_view bytes);
    bool end_endless();

    void end(const CallStatus& status, std::string_view trouble = {});
    void note_end(Code code, std::string_view trouble);

    Calls& calls_;
    Served& served_;
    Stream& stream_;  // Until it is over.
    State state_ = State::admitting;
    http::Trail trail_{};
    http::HttpRequest request_{};
    std::string client_{};  // In the budget of bodies.
    Instant admitted_at_{};

    std::shared_ptr<Waiting> waiting_{};
    std::weak_ptr<Waiting> handled_{};
    http::BodyBudget::Share message_share_{};
    std::shared_ptr<http::StreamChannel> channel_{};
    std::unique_ptr<ReplyStream> replies_{};
};

}  // namespace millrace::rpc
