#pragma once

#include <grpcpp/generic/async_generic_service.h>

#include <deque>
#include <memory>
#include <optional>
#include <string>

#include "api/grpc/call_status.hpp"
#include "api/grpc/calls.hpp"
#include "api/grpc/waiting.hpp"
#include "api/http/stream_channel.hpp"

namespace millrace::rpc {

// One call of an rpc: finds out who calls, reads the message, hands it to the service as a request,
// writes the answer. gRPC's threads bring news of the client, the thread of the mailbox brings the
// answer; whoever is first to end the call does, and the others find it ended.
//
// Lives until gRPC is done with it and nobody waits for its answer any more.
class Call final : public grpc::ServerGenericBidiReactor,
                   public std::enable_shared_from_this<Call> {
public:
    Call(Calls& calls, Served& served, grpc::GenericCallbackServerContext& context);

    // Begins; gRPC keeps it from now on.
    grpc::ServerGenericBidiReactor* start();

    // By the mailbox's thread alone.
    void answer(http::HttpResponse response);
    void go_on(const std::shared_ptr<http::StreamChannel>& stream);
    void drain();
    // By any thread.
    void ask_to_drain();
    void end_if_late(Instant now);

    // By gRPC's threads.
    void OnReadDone(bool is_ok) override;
    void OnWriteDone(bool is_ok) override;
    void OnCancel() override;
    void OnDone() override;

private:
    http::HttpRequest head() const;
    void read_message(http::HttpRequest head, std::string client);
    void handle(std::string message);
    void write_reply(std::string reply, std::function<void()> on_undelivered);

    // call_stream.cpp
    bool begin_stream(http::StreamChannel& stream);
    void stream_on(http::StreamChannel& stream);
    bool take_replies(std::string_view bytes);
    bool write_next();
    bool end_endless(const http::StreamChannel& stream);

    // Whether this is the end of the call: only the first caller hears so, and finishes it.
    bool begin_end();
    void end(const CallStatus& status, std::string_view trouble = {});
    // Of whoever was the first.
    void finish(const CallStatus& status, std::string_view trouble = {});
    void note_end(Code code, std::string_view trouble);

    Calls& calls_;
    Served& served_;
    grpc::GenericCallbackServerContext& context_;
    const std::shared_ptr<Mailbox> mailbox_;
    std::shared_ptr<Call> self_{};  // Until gRPC is done.
    http::Trail trail_{};
    http::HttpRequest request_{};
    std::string client_{};  // In the budget of bodies.
    Instant admitted_at_{};
    grpc::ByteBuffer message_{};
    grpc::ByteBuffer reply_{};
    http::BodyBudget::Share reply_share_{};  // Until it is sent.
    std::function<void()> on_undelivered_{};

    // Of the mailbox's thread.
    std::unique_ptr<ReplyStream> replies_{};
    std::deque<std::string> unwritten_{};

    Mutex mutex_;
    bool is_ended_ MILLRACE_GUARDED_BY(mutex_) = false;
    bool is_writing_ MILLRACE_GUARDED_BY(mutex_) = false;
    std::optional<Instant> writing_since_ MILLRACE_GUARDED_BY(mutex_);
    std::shared_ptr<Waiting> waiting_ MILLRACE_GUARDED_BY(mutex_);  // Until it is handled.
    std::weak_ptr<Waiting> handled_ MILLRACE_GUARDED_BY(mutex_);    // From then on.
    std::shared_ptr<http::StreamChannel> stream_ MILLRACE_GUARDED_BY(mutex_);
};

}  // namespace millrace::rpc
