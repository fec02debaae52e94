#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <mutex>
#include <thread>

#include "millrace/client/client.hpp"
#include "scripted_server.hpp"

namespace millrace::client {
namespace {

using namespace std::chrono_literals;

constexpr const char* kInstance = R"({"id":"i1","status":"ACTIVE"})";

TEST(Connection, IsKeptBetweenCalls) {
    const ScriptedServer server([](const Received&) { return json_answer(200, kInstance); });
    Client client({.server = server.url()});
    for (int i = 0; i < 5; ++i) {
        const Result<Instance> instance = client.get_instance("i1");
        ASSERT_TRUE(instance);
        EXPECT_EQ(instance->id(), "i1");
    }
    EXPECT_EQ(server.connections(), 1);
}

TEST(Connection, IsReplacedWhenTheServerClosesAfterItsAnswer) {
    const ScriptedServer server([](const Received&) {
        Answer answer = json_answer(200, kInstance);
        answer.close_after = true;
        return answer;
    });
    Client client({.server = server.url()});
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(client.get_instance("i1"));
    EXPECT_EQ(server.connections(), 3);
}

TEST(Connection, CloseHeaderEndsIt) {
    const ScriptedServer server([](const Received&) {
        return Answer{.bytes = "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n"};
    });
    Client client({.server = server.url()});
    EXPECT_TRUE(client.healthz());
    EXPECT_TRUE(client.healthz());
    EXPECT_EQ(server.connections(), 2);
}

// Answers the first request of a connection and hangs up on the second, as a server does whose
// idle time ran out while the request was on its way.
Answer once_per_connection(std::atomic<int>& requests, const Received& received,
                           std::atomic<int>& latest) {
    ++requests;
    if (received.connection == latest) return hang_up();
    latest = received.connection;
    return json_answer(201, kInstance);
}

TEST(Connection, DeadOneIsReplacedForACallThatMayBeRepeated) {
    std::atomic<int> requests = 0;
    std::atomic<int> latest = 0;
    const ScriptedServer server(
        [&](const Received& received) { return once_per_connection(requests, received, latest); });
    Client client({.server = server.url()});
    EXPECT_TRUE(client.get_instance("i1"));
    EXPECT_TRUE(client.get_instance("i1"));
    EXPECT_EQ(server.connections(), 2);
    EXPECT_EQ(requests, 3);
}

TEST(Connection, DeadOneFailsACallThatMustNotBeRepeated) {
    std::atomic<int> requests = 0;
    std::atomic<int> latest = 0;
    const ScriptedServer server(
        [&](const Received& received) { return once_per_connection(requests, received, latest); });
    Client client({.server = server.url()});
    EXPECT_TRUE(client.cancel_instance("i1"));
    const Result<Instance> second = client.cancel_instance("i1");
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().code, "connection-lost");
    EXPECT_EQ(requests, 2);
}

TEST(Connection, DeadOneIsReplacedForAStartWithTheSameKey) {
    std::atomic<int> requests = 0;
    std::atomic<int> latest = 0;
    std::mutex mutex;
    std::vector<std::string> keys;
    const ScriptedServer server([&](const Received& received) {
        {
            const std::lock_guard lock(mutex);
            keys.push_back(received.header("idempotency-key"));
        }
        return once_per_connection(requests, received, latest);
    });
    Client client({.server = server.url()});
    EXPECT_TRUE(client.start_instance({.definition_id = "d"}));
    EXPECT_TRUE(client.start_instance({.definition_id = "d"}));
    ASSERT_EQ(keys.size(), 3u);
    EXPECT_NE(keys[0], keys[1]);
    EXPECT_EQ(keys[1], keys[2]);
}

TEST(Connection, FreshOneThatDiesIsNotTriedAgain) {
    std::atomic<int> requests = 0;
    const ScriptedServer server([&](const Received&) {
        ++requests;
        return hang_up();
    });
    Client client({.server = server.url()});
    const Status status = client.healthz();
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, "connection-lost");
    EXPECT_EQ(requests, 1);
}

TEST(Connection, HalfAnAnswerIsAnErrorAndNotRepeated) {
    std::atomic<int> requests = 0;
    const ScriptedServer server([&](const Received&) {
        if (++requests == 1) return no_content();
        return Answer{.bytes = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{\"a",
                      .close_after = true};
    });
    Client client({.server = server.url()});
    EXPECT_TRUE(client.healthz());
    EXPECT_FALSE(client.healthz());
    EXPECT_EQ(requests, 2);
}

TEST(Connection, SilenceEndsInATimeout) {
    const ScriptedServer server([](const Received&) { return Answer{}; });
    Client client({.server = server.url(), .request_duration_max = 50ms});
    const Status status = client.healthz();
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, "timeout");
    EXPECT_TRUE(is_transient(status.error()));
}

TEST(Connection, ClosedPortIsUnreachable) {
    std::string url;
    {
        const ScriptedServer server([](const Received&) { return no_content(); });
        url = server.url();
    }
    Client client({.server = url});
    const Status status = client.healthz();
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, "unreachable");
}

TEST(Connection, ChunkedAnswerIsPutTogether) {
    const ScriptedServer server([](const Received&) {
        return Answer{.bytes =
                          "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                          "6\r\n{\"id\":\r\n4\r\n\"i7\"\r\n1\r\n}\r\n0\r\n\r\n"};
    });
    Client client({.server = server.url()});
    for (int i = 0; i < 2; ++i) {
        const Result<Instance> instance = client.get_instance("i7");
        ASSERT_TRUE(instance);
        EXPECT_EQ(instance->id(), "i7");
    }
    EXPECT_EQ(server.connections(), 1);
}

TEST(Connection, AnswerWithoutLengthEndsWithTheConnection) {
    const ScriptedServer server([](const Received&) {
        return Answer{.bytes = "HTTP/1.1 200 OK\r\n\r\n{\"id\":\"i1\"}", .close_after = true};
    });
    Client client({.server = server.url()});
    const Result<Instance> instance = client.get_instance("i1");
    ASSERT_TRUE(instance);
    EXPECT_EQ(instance->id(), "i1");
}

TEST(Connection, LargeBodiesGoBothWays) {
    const std::string large(900'000, 'x');
    const ScriptedServer server(
        [](const Received& received) { return json_answer(201, received.body); });
    Client client({.server = server.url()});
    json::Value variables = json::Object{};
    variables.set("large", large);
    const Result<Instance> echo =
        client.start_instance({.definition_id = "d", .variables = variables});
    ASSERT_TRUE(echo);
    EXPECT_EQ(echo->variables(), variables);
}

TEST(Connection, AnswerAboveTheLimitIsRefused) {
    const ScriptedServer server(
        [](const Received&) { return json_answer(200, std::string(2000, ' ')); });
    Client client({.server = server.url(), .reply_bytes_max = 1000});
    const Result<Instance> instance = client.get_instance("i1");
    ASSERT_FALSE(instance);
    EXPECT_EQ(instance.error().code, "bad-reply");
}

TEST(Connection, WhatIsNoHttpIsABadReply) {
    const ScriptedServer server([](const Received&) {
        return Answer{.bytes = "SSH-2.0-OpenSSH\r\n", .close_after = true};
    });
    Client client({.server = server.url()});
    const Status status = client.healthz();
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, "bad-reply");
}

TEST(Connection, EachCallAtTheSameTimeHasItsOwn) {
    constexpr int kThreads = 8;
    std::atomic<int> waiting = 0;
    std::promise<void> all_here;
    std::shared_future<void> go = all_here.get_future().share();
    const ScriptedServer server([&](const Received&) {
        if (++waiting == kThreads) all_here.set_value();
        go.wait();
        return no_content();
    });
    Client client({.server = server.url()});
    std::atomic<int> succeeded = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; ++i) {
        threads.emplace_back([&] { succeeded += client.healthz() ? 1 : 0; });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(succeeded, kThreads);
    EXPECT_EQ(server.connections(), kThreads);
}

TEST(Connection, InterruptEndsRunningAndLaterCalls) {
    std::promise<void> arrived;
    const ScriptedServer server([&](const Received&) {
        arrived.set_value();
        return Answer{};
    });
    Client client({.server = server.url()});
    std::thread interrupter([&] {
        arrived.get_future().wait();
        client.interrupt();
    });
    const Status running = client.healthz();
    interrupter.join();
    ASSERT_FALSE(running);
    EXPECT_EQ(running.error().code, "interrupted");
    const Status later = client.healthz();
    ASSERT_FALSE(later);
    EXPECT_EQ(later.error().code, "interrupted");
}

TEST(Connection, BadAddressIsToldByEveryCall) {
    Client client({.server = "localhost"});
    const Status status = client.healthz();
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, "invalid-url");
    EXPECT_FALSE(is_transient(status.error()));
}

}  // namespace
}  // namespace millrace::client
