#include <grpc/reflection/v1/reflection.pb.h>
#include <gtest/gtest.h>

#include <atomic>
#include <deque>
#include <future>
#include <thread>

#include "api/grpc/server.hpp"
#include "api/http/error_response.hpp"
#include "core/access/principal.hpp"
#include "support/grpc_server_case.hpp"

namespace millrace {
namespace {

using namespace std::chrono_literals;

constexpr const char* kReflect = "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo";

// What strangers, the slow and the silent may take of a server.
class GrpcServerLimitsTest : public GrpcServerCase {};

std::string symbol_question(const std::string& name) {
    ::grpc::reflection::v1::ServerReflectionRequest request;
    request.set_file_containing_symbol(name);
    return request.SerializeAsString();
}

TEST_F(GrpcServerLimitsTest, ReflectionAnswersNamesAlone) {
    serve();
    TestStream asked(server.channel(), kReflect);
    ASSERT_TRUE(asked.write(symbol_question("grpc.health.v1.Health")));
    EXPECT_GT(asked.read().value_or("").size(), 100U);
    ASSERT_TRUE(asked.write(symbol_question(std::string(2'000, '.'))));
    EXPECT_EQ(asked.read(), std::nullopt);
    EXPECT_EQ(asked.finish().error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
}

TEST_F(GrpcServerLimitsTest, ReflectionTakesABoundedNumberOfQuestions) {
    serve();
    TestStream asked(server.channel(), kReflect);
    int answers = 0;
    while (asked.write(symbol_question("no")) && asked.read()) ++answers;
    EXPECT_EQ(answers, 1'000);
    EXPECT_EQ(asked.finish().error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
}

TEST_F(GrpcServerLimitsTest, ReflectionHasRoomForAFewAndEndsTheIdle) {
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

TEST_F(GrpcServerLimitsTest, AKeyThatIsRevokedBeforeTheMessageComesIsOfNoUse) {
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

TEST_F(GrpcServerLimitsTest, AMessageThatDoesNotComeEndsItsCall) {
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

TEST_F(GrpcServerLimitsTest, ACallThatIsHandledMayTakeItsTime) {
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

TEST_F(GrpcServerLimitsTest, ADrainEndsCallsWithoutAMessage) {
    RevokingGate gate;
    serve({.gate = &gate});
    TestStream waiting(server.channel(), "/test.Echo/echo");
    gate.wait_for_first();
    server.server().begin_drain();
    EXPECT_EQ(waiting.read(), std::nullopt);
    EXPECT_EQ(waiting.finish().error_code(), grpc::StatusCode::UNAVAILABLE);
    EXPECT_TRUE(server.server().end_drain(30s));
}

TEST_F(GrpcServerLimitsTest, AReplyThatNobodyReadsIsCountedAndGivenUp) {
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

TEST_F(GrpcServerLimitsTest, AReplyWithoutRoomIsUndelivered) {
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

TEST_F(GrpcServerLimitsTest, KeysAreAskedForBeforeTheMessageIsRead) {
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
