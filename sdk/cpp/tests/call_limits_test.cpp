#include <gtest/gtest.h>

#include <atomic>
#include <barrier>
#include <thread>

#include "millrace/client/client.hpp"
#include "retry_after.hpp"
#include "scripted_server.hpp"
#include "stuck_resolver.hpp"

namespace millrace::client {
namespace {

using namespace std::chrono_literals;

class StuckResolver : public testing::Test {
protected:
    StuckResolver() { StuckResolverGate::get().set(false); }
    ~StuckResolver() override { StuckResolverGate::get().set(true); }
};

TEST_F(StuckResolver, DoesNotHoldACallBeyondItsDeadline) {
    Client client({.server = "http://stuck.test:1", .connect_duration_max = 50ms});
    std::thread guard([] {
        // Lets a call go that waits without a limit, so that the test fails instead of hanging.
        StuckResolverGate::get().open_after(10s);
    });
    const auto begun_at = std::chrono::steady_clock::now();
    const Status status = client.healthz();
    EXPECT_LT(std::chrono::steady_clock::now() - begun_at, 9s);
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, "timeout");
    StuckResolverGate::get().set(true);
    guard.join();
}

TEST_F(StuckResolver, IsNotWaitedForAfterAnInterrupt) {
    Client client({.server = "http://stuck.test:1", .connect_duration_max = 1h});
    std::thread interrupter([&] { client.interrupt(); });
    const Status status = client.healthz();
    interrupter.join();
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, "interrupted");
}

TEST(CallLimits, CallEndsInTheTimeThatItIsGiven) {
    ScriptedServer server([](const Received&) { return Answer{}; });
    Client client({.server = server.url()});
    const Status status = client.extend_job({.job_id = "j"}, 30s, 50ms);
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, "timeout");
}

TEST(CallLimits, OneHalfOpenConnectionMakesAllKeptOnesSuspect) {
    std::atomic<bool> is_silent = false;
    std::barrier both(2);
    ScriptedServer server([&](const Received& received) {
        // Both at once, so that there are two connections.
        if (received.target == "/healthz") both.arrive_and_wait();
        // Connections from before fall silent; new ones are answered.
        return is_silent && received.connection <= 2 ? Answer{} : no_content();
    });
    Client client({.server = server.url(), .idle_connections_max = 4});
    std::thread other([&] { (void)client.healthz(); });
    (void)client.healthz();
    other.join();
    is_silent = true;
    EXPECT_FALSE(client.extend_job({.job_id = "j"}, 30s, 100ms));
    EXPECT_TRUE(client.extend_job({.job_id = "j"}, 30s, 10s));
}

TEST(CallLimits, RepeatsWhatMayBeRepeatedAsOftenAsTheOptionsSay) {
    std::atomic<int> calls = 0;
    ScriptedServer server([&](const Received&) {
        return ++calls < 3 ? json_answer(503, R"({"error":"unavailable"})") : no_content();
    });
    EXPECT_TRUE(Client({.server = server.url(), .tries_max = 3}).healthz());
    calls = 0;
    EXPECT_FALSE(Client({.server = server.url(), .tries_max = 2}).healthz());
    EXPECT_EQ(calls, 2);
}

TEST(CallLimits, RepetitionsEndWithTheirBudget) {
    std::atomic<int> calls = 0;
    ScriptedServer server([&](const Received&) {
        ++calls;
        return json_answer(503, R"({"error":"unavailable"})");
    });
    Client client({.server = server.url(), .tries_max = 3});
    for (int i = 0; i < 10; ++i) EXPECT_FALSE(client.healthz());
    EXPECT_EQ(calls, 20);
}

TEST(CallLimits, ErrorSaysHowLongTheServerAsksToWait) {
    ScriptedServer server([](const Received&) {
        return Answer{.bytes = "HTTP/1.1 429 X\r\nRetry-After: 7\r\nContent-Length: 2\r\n\r\n{}"};
    });
    const Status status = Client({.server = server.url()}).healthz();
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().retry_after, Duration(7s));
}

TEST(RetryAfterHeader, IsSecondsOrADate) {
    EXPECT_EQ(retry_after("3", ""), Duration(3s));
    EXPECT_EQ(retry_after("", ""), std::nullopt);
    EXPECT_EQ(retry_after("soon", ""), std::nullopt);
    EXPECT_EQ(retry_after("-1", ""), Duration(0s));
    EXPECT_EQ(retry_after("Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:07 GMT"),
              Duration(30s));
    EXPECT_EQ(retry_after("Sun, 06 Nov 1994 08:49:37 GMT", ""), Duration(0s));
    EXPECT_EQ(retry_after("99999999", ""), Duration(10min));
}

TEST(CallInterceptors, SeeEachCallAndMayAddHeaders) {
    ScriptedServer server([](const Received&) { return no_content(); });
    std::vector<std::string> seen;
    const auto note = [&](std::string name) -> CallInterceptor {
        return [&seen, name](Call& call, const std::function<CallEnd()>& proceed) {
            call.headers.push_back({"X-" + name, "1"});
            const CallEnd end = proceed();
            seen.push_back(name + " " + call.target + " " + std::to_string(end.status));
        };
    };
    Client client({.server = server.url(), .interceptors = {note("Outer"), note("Inner")}});
    EXPECT_TRUE(client.healthz());
    EXPECT_EQ(server.latest().header("x-outer"), "1");
    EXPECT_EQ(server.latest().header("x-inner"), "1");
    EXPECT_EQ(seen, (std::vector<std::string>{"Inner /healthz 204", "Outer /healthz 204"}));
}

TEST(CallInterceptors, OneThatThrowsFailsTheCall) {
    ScriptedServer server([](const Received&) { return no_content(); });
    Client client(
        {.server = server.url(), .interceptors = {[](Call&, const std::function<CallEnd()>&) {
                                     throw 5;
                                 }}});
    const Status status = client.healthz();
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, "intercepted");
}

}  // namespace
}  // namespace millrace::client
