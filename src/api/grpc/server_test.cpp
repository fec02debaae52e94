#include "api/grpc/server.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <thread>

#include "support/grpc_server_case.hpp"

namespace millrace {
namespace {

using namespace std::chrono_literals;

class GrpcServerTest : public GrpcServerCase {};

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

TEST_F(GrpcServerTest, AConnectionWithAllTheCallsItMayHaveIsStillHeard) {
    serve();
    std::deque<TestCall> calls;
    for (int i = 0; i < limits::kRpcCallsPerConnectionMax; ++i) {
        calls.emplace_back(server.channel(), "/test.Echo/park", "").start();
    }
    parked.wait_for(calls.size());
    calls.front().context.TryCancel();
    parked.wait_for_gone(1);
    for (const http::Responder& respond : parked.take()) respond({});
    for (TestCall& each : calls) (void)each.wait();
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
    stream->Write(buffer_of("abc"), nullptr);
    ASSERT_TRUE(next());
    stream->WritesDone(nullptr);
    ASSERT_TRUE(next());
    std::string read;
    grpc::ByteBuffer message;
    for (stream->Read(&message, nullptr); next(); stream->Read(&message, nullptr)) {
        read += taken_bytes(message) + ".";
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

}  // namespace
}  // namespace millrace
