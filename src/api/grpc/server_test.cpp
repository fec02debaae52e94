#include "api/grpc/server.hpp"

#include <grpc/reflection/v1/reflection.pb.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#include "api/http/error_response.hpp"
#include "core/access/principal.hpp"
#include "support/grpc_test_server.hpp"

namespace millrace {
namespace {

using namespace std::chrono_literals;

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
        ASSERT_TRUE(changed_.wait_for(lock, 30s, [&] { return parked_.size() >= count; }));
    }
    void wait_for_gone(std::size_t count) {
        std::unique_lock lock(mutex_);
        ASSERT_TRUE(changed_.wait_for(lock, 30s, [&] { return gone_ >= count; }));
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

class GrpcServerTest : public testing::Test {
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

TEST_F(GrpcServerTest, ACallIsARequestOfTheService) {
    serve();
    std::string reply;
    ASSERT_TRUE(ask("/test.Echo/echo", "hello", &reply).ok());
    EXPECT_EQ(reply, "hello");
    EXPECT_TRUE(ask("/test.Echo/echo", "", &reply).ok());
    EXPECT_EQ(reply, "");
    EXPECT_NE(server.metrics().text().find(
                  R"(grpc_requests_duration_seconds_count{code="OK",method="test.Echo/echo"} 2)"),
              std::string::npos);
    EXPECT_TRUE(has_log_line(R"("rpc":"test.Echo/echo","code":"OK")"));
}

TEST_F(GrpcServerTest, WhatNobodyServesIsUnimplemented) {
    serve();
    EXPECT_EQ(ask("/test.Echo/other", "").error_code(), grpc::StatusCode::UNIMPLEMENTED);
    EXPECT_EQ(ask("/", "").error_code(), grpc::StatusCode::UNIMPLEMENTED);
    EXPECT_EQ(ask("/test.Echo/lost", "").error_code(), grpc::StatusCode::NOT_FOUND);
}

TEST_F(GrpcServerTest, MessagesThatCannotBeUsedAreRefused) {
    serve();
    const grpc::Status bad = ask("/test.Echo/echo", "bad");
    EXPECT_EQ(bad.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
    EXPECT_EQ(bad.error_message(), "It is bad.");
    EXPECT_NE(bad.error_details().find("bad-request"), std::string::npos);
    const std::string large(limits::kBodyBytesMax + 1, 'x');
    EXPECT_EQ(ask("/test.Echo/echo", large).error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
    EXPECT_EQ(ask("/test.Echo/echo", "unfit").error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
    EXPECT_TRUE(ask("/test.Echo/echo", "good").ok());
}

TEST_F(GrpcServerTest, MessagesOfTooManyValuesAreNotParsed) {
    serve();
    std::string values;
    for (std::size_t i = 0; i < limits::kJsonValuesMax; ++i) values += std::string("\x0A\0", 2);
    EXPECT_TRUE(ask("/test.Echo/list", values).ok());
    const grpc::Status status = ask("/test.Echo/list", values + std::string("\x0A\0", 2));
    EXPECT_EQ(status.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
    EXPECT_EQ(status.error_message(), "The message has more than 1000000 values.");
}

TEST_F(GrpcServerTest, MessagesOfManyValuesTakeMoreOfTheBudget) {
    serve({.bodies_bytes_max = 10u << 20});
    std::string values;
    for (int i = 0; i < 200'000; ++i) values += std::string("\x0A\0", 2);
    EXPECT_EQ(ask("/test.Echo/list", values).error_code(), grpc::StatusCode::UNAVAILABLE);
    EXPECT_TRUE(ask("/test.Echo/echo", values).ok());
}

TEST_F(GrpcServerTest, WhatAMessageBecomesIsAsLargeAsOverRestAtMost) {
    serve();
    const grpc::Status body = ask("/test.Echo/echo", "twice as long");
    EXPECT_EQ(body.error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
    EXPECT_EQ(body.error_message(), "The request is too large as JSON.");
    const grpc::Status query = ask("/test.Echo/echo", "?" + std::string(16u << 10, 'x'));
    EXPECT_EQ(query.error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
    EXPECT_EQ(query.error_message(), "Ids or filters of the request are too large.");
}

TEST_F(GrpcServerTest, StrangersAreReadAFewBytesOf) {
    serve();
    EXPECT_TRUE(ask("/test.Echo/free", std::string(16u << 10, 'x')).ok());
    EXPECT_EQ(ask("/test.Echo/free", std::string((16u << 10) + 1, 'x')).error_code(),
              grpc::StatusCode::RESOURCE_EXHAUSTED);
}

TEST_F(GrpcServerTest, MetadataAreHeaders) {
    serve();
    std::string reply;
    const TestCall::Metadata metadata{{"authorization", "Bearer x"}, {"millrace-workspace", "a"},
                                      {"millrace-workspace", "b"},   {"idempotency-key", "k"},
                                      {"x-request-id", "r-1"},       {"cookie", "c"}};
    TestCall asked(server.channel(), "/test.Echo/headers", "", metadata);
    ASSERT_TRUE(asked.start().wait().ok());
    EXPECT_EQ(asked.reply(), "127.0.0.1|" + server.address() + "*1|Bearer x*1|a*2|k*1|-*0|-*0|r-1");
    const auto& sent = asked.context.GetServerInitialMetadata();
    const auto id = sent.find("x-request-id");
    ASSERT_NE(id, sent.end());
    EXPECT_EQ(std::string(id->second.data(), id->second.size()), "r-1");
}

TEST_F(GrpcServerTest, AForeignAuthorityIsRefusedOnThisMachine) {
    serve();
    grpc::ChannelArguments arguments;
    arguments.SetString(GRPC_ARG_DEFAULT_AUTHORITY, "evil.example.com");
    const auto channel =
        grpc::CreateCustomChannel(server.address(), grpc::InsecureChannelCredentials(), arguments);
    TestCall asked(channel, "/test.Echo/echo", "");
    EXPECT_EQ(asked.start().wait().error_code(), grpc::StatusCode::PERMISSION_DENIED);
}

TEST_F(GrpcServerTest, ACancelledCallTellsItsHandlerAndEnds) {
    serve();
    TestCall asked(server.channel(), "/test.Echo/park", "");
    asked.start();
    parked.wait_for(1);
    asked.context.TryCancel();
    EXPECT_EQ(asked.wait().error_code(), grpc::StatusCode::CANCELLED);
    parked.wait_for_gone(1);
    std::promise<void> undelivered;
    for (const http::Responder& respond : parked.take()) {
        respond({.on_undelivered = [&] {
            undelivered.set_value();
        }});
    }
    EXPECT_EQ(undelivered.get_future().wait_for(30s), std::future_status::ready);
    EXPECT_TRUE(server.server().end_drain(30s));
}

TEST_F(GrpcServerTest, ADeadlineThatPassesTellsItsHandlerAndEnds) {
    serve();
    TestCall asked(server.channel(), "/test.Echo/park", "");
    asked.context.set_deadline(
        gpr_time_add(gpr_now(GPR_CLOCK_MONOTONIC), gpr_time_from_millis(50, GPR_TIMESPAN)));
    EXPECT_EQ(asked.start().wait().error_code(), grpc::StatusCode::DEADLINE_EXCEEDED);
    parked.wait_for(1);
    parked.wait_for_gone(1);
    parked.take();  // Dropped without an answer: nobody waits for one.
    EXPECT_TRUE(server.server().end_drain(30s));
}

TEST_F(GrpcServerTest, AHandlerThatForgetsItsCallIsAnError) {
    serve();
    TestCall asked(server.channel(), "/test.Echo/park", "");
    asked.start();
    parked.wait_for(1);
    parked.take();
    const grpc::Status status = asked.wait();
    EXPECT_EQ(status.error_code(), grpc::StatusCode::INTERNAL);
    EXPECT_EQ(status.error_message(), "Something went wrong here; the log says more.");
}

TEST_F(GrpcServerTest, AnAnswerIsDeliveredOnce) {
    serve();
    TestCall asked(server.channel(), "/test.Echo/park", "");
    asked.start();
    parked.wait_for(1);
    bool is_second_lost = false;
    bool is_first_lost = false;
    for (const http::Responder& respond : parked.take()) {
        respond({.body = "first", .on_undelivered = [&] {
                     is_first_lost = true;
                 }});
        respond({.body = "second", .on_undelivered = [&] {
                     is_second_lost = true;
                 }});
    }
    ASSERT_TRUE(asked.wait().ok());
    EXPECT_EQ(asked.reply(), "first");
    EXPECT_TRUE(server.server().end_drain(30s));
    EXPECT_FALSE(is_first_lost);
    EXPECT_TRUE(is_second_lost);
}

TEST_F(GrpcServerTest, StreamsAreMessages) {
    serve();
    grpc::GenericStub stub(server.channel());
    grpc::ClientContext context;
    grpc::CompletionQueue queue;
    const auto stream = stub.PrepareCall(&context, "/test.Echo/count", &queue);
    void* tag = nullptr;
    bool is_ok = false;
    const auto next = [&] {
        return queue.Next(&tag, &is_ok) && is_ok;
    };
    stream->StartCall(nullptr);
    ASSERT_TRUE(next());
    stream->Write(rpc::buffer_of("abc"), nullptr);
    ASSERT_TRUE(next());
    stream->WritesDone(nullptr);
    ASSERT_TRUE(next());
    std::string read;
    grpc::ByteBuffer message;
    for (stream->Read(&message, nullptr); next(); stream->Read(&message, nullptr)) {
        read += rpc::taken_bytes(message) + ".";
    }
    grpc::Status status;
    stream->Finish(&status, nullptr);
    ASSERT_TRUE(next());
    EXPECT_TRUE(status.ok()) << status.error_message();
    EXPECT_EQ(read, "a.b.c.");
}

TEST_F(GrpcServerTest, DrainsWithinSecondsWithThousandsOfParkedCalls) {
    constexpr std::size_t kChannels = 4;
    constexpr std::size_t kCallsEach = 750;
    serve();
    std::vector<std::shared_ptr<grpc::Channel>> channels;
    std::deque<TestCall> calls;
    for (std::size_t i = 0; i < kChannels; ++i) {
        channels.push_back(server.new_channel());
        for (std::size_t j = 0; j < kCallsEach; ++j) {
            calls.emplace_back(channels.back(), "/test.Echo/park", "").start();
        }
    }
    parked.wait_for(kChannels * kCallsEach);
    const auto began = gpr_now(GPR_CLOCK_MONOTONIC);
    server.server().begin_drain();
    EXPECT_EQ(ask("/test.Echo/echo", "").error_code(), grpc::StatusCode::UNAVAILABLE);
    EXPECT_FALSE(server.server().end_drain(100ms));
    for (TestCall& each : calls) {
        EXPECT_FALSE(each.wait().ok());
    }
    parked.wait_for_gone(kChannels * kCallsEach);
    const auto took = gpr_time_sub(gpr_now(GPR_CLOCK_MONOTONIC), began);
    EXPECT_LT(gpr_time_to_millis(took), 60'000);  // Some hundred, but with sanitizers.
}

TEST_F(GrpcServerTest, ATakenPortIsAnErrorThatNamesIt) {
    serve();
    observe::Log log{{.sink = [](std::string_view) {
    }}};
    observe::Metrics metrics;
    runtime::SystemClock clock;
    runtime::CsprngRandom random;
    http::Router router(metrics);
    http::Service service(router, metrics, log, clock, random);
    rpc::ServerConfig config;
    config.port = server.server().port();
    rpc::Server second(service, metrics, log, {}, std::move(config));
    runtime::LoopThreads threads;
    const Status status = second.start(threads);
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ErrorCode::unavailable);
    EXPECT_NE(status.error().detail.find(std::to_string(server.server().port())),
              std::string::npos);
}

constexpr const char* kReflect = "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo";

std::string symbol_question(const std::string& name) {
    ::grpc::reflection::v1::ServerReflectionRequest request;
    request.set_file_containing_symbol(name);
    return request.SerializeAsString();
}

TEST_F(GrpcServerTest, ReflectionAnswersNamesAlone) {
    serve();
    TestStream asked(server.channel(), kReflect);
    ASSERT_TRUE(asked.write(symbol_question("grpc.health.v1.Health")));
    EXPECT_GT(asked.read().value_or("").size(), 100U);
    ASSERT_TRUE(asked.write(symbol_question(std::string(2'000, '.'))));
    EXPECT_EQ(asked.read(), std::nullopt);
    EXPECT_EQ(asked.finish().error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
}

TEST_F(GrpcServerTest, ReflectionTakesABoundedNumberOfQuestions) {
    serve();
    TestStream asked(server.channel(), kReflect);
    int answers = 0;
    while (asked.write(symbol_question("no")) && asked.read()) ++answers;
    EXPECT_EQ(answers, 1'000);
    EXPECT_EQ(asked.finish().error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
}

TEST_F(GrpcServerTest, ReflectionHasRoomForAFewAndEndsTheIdle) {
    serve();
    std::deque<TestStream> idle;
    for (int i = 0; i < 64; ++i) {
        idle.emplace_back(server.channel(), kReflect);
        ASSERT_TRUE(idle.back().write(symbol_question("no")));
        ASSERT_TRUE(idle.back().read());
    }
    TestStream further(server.channel(), kReflect);
    EXPECT_EQ(further.read(), std::nullopt);
    EXPECT_EQ(further.finish().error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
    server.advance(31s);
    for (TestStream& each : idle) {
        EXPECT_EQ(each.read(), std::nullopt);
        EXPECT_EQ(each.finish().error_code(), grpc::StatusCode::CANCELLED);
    }
}

// Lets in whoever says so, and not at once.
class SlowGate final : public http::Gate {
public:
    void admit(http::HttpRequest request, Access access, const http::Responder& respond,
               Pass pass) override {
        accesses.push_back(access);
        if (request.headers.find("Authorization") != "yes") {
            const Error error{ErrorCode::unauthenticated, "Who?"};
            return respond(http::error_response(error, respond.request_id()));
        }
        pass(std::move(request));
    }
    std::vector<Access> accesses;
};

// Knows everybody, until it does not.
class RevokingGate final : public http::Gate {
public:
    void admit(http::HttpRequest request, Access access, const http::Responder& respond,
               Pass pass) override {
        accesses.push_back(access);
        if (is_revoked) {
            const Error error{ErrorCode::unauthenticated, "Who?"};
            return respond(http::error_response(error, respond.request_id()));
        }
        auto principal = std::make_shared<Principal>();
        principal->key_id = "k";
        principal->role = Role::admin;
        request.principal = std::move(principal);
        pass(std::move(request));
        if (accesses.size() == 1) first_admitted.set_value();
    }
    void wait_for_first() {
        ASSERT_EQ(first_admitted.get_future().wait_for(30s), std::future_status::ready);
    }

    std::vector<Access> accesses;  // Of one call at a time.
    std::promise<void> first_admitted;
    std::atomic<bool> is_revoked = false;
};

TEST_F(GrpcServerTest, AKeyThatIsRevokedBeforeTheMessageComesIsOfNoUse) {
    RevokingGate gate;
    serve({.gate = &gate});
    TestStream late(server.channel(), "/test.Echo/echo");
    gate.wait_for_first();
    gate.is_revoked = true;
    server.advance(2s);
    ASSERT_TRUE(late.write("a"));
    EXPECT_EQ(late.read(), std::nullopt);
    EXPECT_EQ(late.finish().error_code(), grpc::StatusCode::UNAUTHENTICATED);
    EXPECT_EQ(gate.accesses, (std::vector{Access::known, Access::view}));
}

TEST_F(GrpcServerTest, AMessageThatDoesNotComeEndsItsCall) {
    RevokingGate gate;
    serve({.gate = &gate});
    TestStream late(server.channel(), "/test.Echo/echo");
    gate.wait_for_first();
    server.advance(31s);
    EXPECT_EQ(late.read(), std::nullopt);
    const grpc::Status status = late.finish();
    EXPECT_EQ(status.error_code(), grpc::StatusCode::DEADLINE_EXCEEDED);
    EXPECT_EQ(status.error_message(), "The message did not come in time.");
    EXPECT_TRUE(server.server().end_drain(30s));
}

TEST_F(GrpcServerTest, ACallThatIsHandledMayTakeItsTime) {
    serve();
    TestCall asked(server.channel(), "/test.Echo/park", "");
    asked.start();
    parked.wait_for(1);
    server.advance(31s);
    TestStream idle(server.channel(), kReflect);  // The next look at all calls ends this one.
    ASSERT_TRUE(idle.write(symbol_question("no")));
    ASSERT_TRUE(idle.read());
    server.advance(31s);
    EXPECT_EQ(idle.read(), std::nullopt);
    for (const http::Responder& respond : parked.take()) respond({.body = "late"});
    EXPECT_TRUE(asked.wait().ok());
}

TEST_F(GrpcServerTest, ADrainEndsCallsWithoutAMessage) {
    RevokingGate gate;
    serve({.gate = &gate});
    TestStream waiting(server.channel(), "/test.Echo/echo");
    gate.wait_for_first();
    server.server().begin_drain();
    EXPECT_EQ(waiting.read(), std::nullopt);
    EXPECT_EQ(waiting.finish().error_code(), grpc::StatusCode::UNAVAILABLE);
    EXPECT_TRUE(server.server().end_drain(30s));
}

TEST_F(GrpcServerTest, AReplyThatNobodyReadsIsCountedAndGivenUp) {
    serve();
    TestStream asked(server.channel(), "/test.Echo/park");
    ASSERT_TRUE(asked.write(""));
    parked.wait_for(1);
    std::promise<void> undelivered;
    for (const http::Responder& respond : parked.take()) {
        respond({.body = std::string(64u << 20, 'x'), .on_undelivered = [&] {
                     undelivered.set_value();
                 }});
    }
    const auto until = std::chrono::steady_clock::now() + 30s;
    while (server.bodies_bytes() == 0 && std::chrono::steady_clock::now() < until) {
        std::this_thread::yield();
    }
    EXPECT_EQ(server.bodies_bytes(), 64u << 20);
    auto is_undelivered = undelivered.get_future();
    // The write begins a moment after it is counted: each look at it is later by more.
    while (std::chrono::steady_clock::now() < until &&
           is_undelivered.wait_for(100ms) != std::future_status::ready) {
        server.advance(61s);
    }
    EXPECT_EQ(is_undelivered.wait_for(0s), std::future_status::ready);
    EXPECT_TRUE(server.server().end_drain(30s));
    EXPECT_EQ(server.bodies_bytes(), 0U);
}

TEST_F(GrpcServerTest, AReplyWithoutRoomIsUndelivered) {
    serve({.bodies_bytes_max = 1u << 20});
    TestCall asked(server.channel(), "/test.Echo/park", "");
    asked.start();
    parked.wait_for(1);
    std::promise<void> undelivered;
    for (const http::Responder& respond : parked.take()) {
        respond({.body = std::string(2u << 20, 'x'), .on_undelivered = [&] {
                     undelivered.set_value();
                 }});
    }
    EXPECT_EQ(asked.wait().error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
    EXPECT_EQ(undelivered.get_future().wait_for(30s), std::future_status::ready);
    EXPECT_EQ(server.bodies_bytes(), 0U);
}

TEST_F(GrpcServerTest, KeysAreAskedForBeforeTheMessageIsRead) {
    SlowGate gate;
    serve({.gate = &gate});
    const std::string large(limits::kBodyBytesMax, 'x');
    EXPECT_EQ(ask("/test.Echo/echo", large).error_code(), grpc::StatusCode::UNAUTHENTICATED);
    EXPECT_EQ(gate.accesses, std::vector{Access::known});
    EXPECT_TRUE(ask("/test.Echo/echo", "a", nullptr, {{"authorization", "yes"}}).ok());
    EXPECT_TRUE(ask("/test.Echo/free", "").ok());
}

}  // namespace
}  // namespace millrace
