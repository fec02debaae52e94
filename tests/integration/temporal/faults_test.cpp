#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <temporal/workflow_service.pb.h>
#include <unistd.h>

#include <atomic>
#include <string>

#include "executor/temporal/payloads.hpp"
#include "support/fake_temporal.hpp"
#include "support/tcp_proxy.hpp"
#include "temporal_case.hpp"

namespace millrace {
namespace {

TemporalOptions options_at(int port) {
    return {.address = "127.0.0.1:" + std::to_string(port), .task_queue = "q"};
}

// A port of this machine where somebody listens, who accepts nobody.
class SilentPort {
public:
    SilentPort() : listener_(socket(AF_INET, SOCK_STREAM, 0)) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        auto* generic = reinterpret_cast<sockaddr*>(&address);
        socklen_t size = sizeof(address);
        EXPECT_EQ(bind(listener_, generic, size), 0);
        EXPECT_EQ(getsockname(listener_, generic, &size), 0);
        port_ = ntohs(address.sin_port);
    }
    ~SilentPort() { close(listener_); }
    SilentPort(const SilentPort&) = delete;
    SilentPort& operator=(const SilentPort&) = delete;

    void listen_only() { EXPECT_EQ(listen(listener_, 16), 0); }
    int port() const { return port_; }

private:
    int listener_;
    int port_ = 0;
};

class TemporalFaultsTest : public testing::Test {
protected:
    StartAnswer start_through(int port, Duration timeout = kPatience) {
        return start(*opened(options_at(port)), request_, timeout);
    }

    FakeTemporal fake_{};
    const StartRun request_ = start_of(new_execution(), "Any");
};

struct Code {
    int number;
    StartOutcome outcome;
    std::string name;
    std::string reason;
};

void PrintTo(const Code& code, std::ostream* out) {
    *out << code.name;
}

class TemporalCodesTest : public TemporalFaultsTest, public testing::WithParamInterface<Code> {};

TEST_P(TemporalCodesTest, AnAnswerCountsAsTheTableSays) {
    fake_.on_start = [](const auto&) {
        return FakeStatus{GetParam().number, "The server's word."};
    };
    const StartAnswer answer = start_through(fake_.port());
    EXPECT_EQ(answer.outcome, GetParam().outcome);
    EXPECT_EQ(answer.code, GetParam().name);
    EXPECT_EQ(answer.reason, GetParam().reason);
    EXPECT_EQ(answer.message, "The server's word.");
    EXPECT_EQ(fake_.starts(), 1);
}

constexpr auto kRefused = StartOutcome::refused;

INSTANTIATE_TEST_SUITE_P(
    AllOfThem, TemporalCodesTest,
    testing::Values(Code{1, StartOutcome::unknown, "CANCELLED", ""},
                    Code{2, kRefused, "UNKNOWN", "UNKNOWN"},
                    Code{3, kRefused, "INVALID_ARGUMENT", "INVALID_REQUEST"},
                    Code{4, StartOutcome::unknown, "DEADLINE_EXCEEDED", ""},
                    Code{5, kRefused, "NOT_FOUND", "NAMESPACE_NOT_FOUND"},
                    Code{7, kRefused, "PERMISSION_DENIED", "PERMISSION_DENIED"},
                    Code{8, StartOutcome::unreachable, "RESOURCE_EXHAUSTED", ""},
                    Code{9, kRefused, "FAILED_PRECONDITION", "FAILED_PRECONDITION"},
                    Code{10, kRefused, "ABORTED", "ABORTED"},
                    Code{11, kRefused, "OUT_OF_RANGE", "OUT_OF_RANGE"},
                    Code{12, kRefused, "UNIMPLEMENTED", "UNIMPLEMENTED"},
                    Code{13, kRefused, "INTERNAL", "INTERNAL"},
                    Code{14, StartOutcome::unknown, "UNAVAILABLE", ""},
                    Code{15, kRefused, "DATA_LOSS", "DATA_LOSS"},
                    Code{16, kRefused, "UNAUTHENTICATED", "PERMISSION_DENIED"}),
    [](const auto& row) { return row.param.name; });

TEST_F(TemporalFaultsTest, NobodyAtThePortIsUnreachable) {
    const SilentPort port;  // Bound, so that nobody else takes it, but nobody listens.
    const StartAnswer answer = start_through(port.port());
    EXPECT_EQ(answer.outcome, StartOutcome::unreachable);
    EXPECT_EQ(answer.code, "UNAVAILABLE");
    EXPECT_EQ(answer.message.find(request_.payload), std::string::npos);
}

TEST_F(TemporalFaultsTest, AServerThatSaysNothingIsUnreachable) {
    SilentPort port;
    port.listen_only();
    EXPECT_EQ(start_through(port.port(), 500ms).outcome, StartOutcome::unreachable);
}

TEST_F(TemporalFaultsTest, AServerThatIsOnlyBeginningToAnswerIsUnreachable) {
    fake_.on_system_info = [] {
        return FakeStatus{.is_held = true};
    };
    const StartAnswer answer = start_through(fake_.port(), 300ms);
    EXPECT_EQ(answer.outcome, StartOutcome::unreachable);
    EXPECT_EQ(answer.code, "DEADLINE_EXCEEDED");
    EXPECT_EQ(fake_.starts(), 0);
}

TEST_F(TemporalFaultsTest, AServerThatKnowsNoSystemInfoIsThere) {
    fake_.on_system_info = [] {
        return FakeStatus{12, "Never heard of it."};
    };
    EXPECT_EQ(start_through(fake_.port()).outcome, StartOutcome::started);
}

TEST_F(TemporalFaultsTest, NoAnswerInTimeIsUnknown) {
    fake_.on_start = [](const auto&) {
        return FakeStatus{.is_held = true};
    };
    const StartAnswer answer = start_through(fake_.port(), 500ms);
    EXPECT_EQ(answer.outcome, StartOutcome::unknown);
    EXPECT_EQ(answer.code, "DEADLINE_EXCEEDED");
    EXPECT_EQ(fake_.starts(), 1);
}

TEST_F(TemporalFaultsTest, AConnectionThatIsLostAfterSendingIsUnknownAndThenUnreachable) {
    fake_.on_start = [](const auto&) {
        return FakeStatus{.is_held = true};
    };
    TcpProxy proxy(fake_.port());
    const auto executor = opened(options_at(proxy.port()));
    Answer<StartAnswer> answer([&](auto done) { executor->start(request_, kPatience, done); });
    fake_.wait_for_starts(1);
    proxy.close();
    const StartAnswer lost = answer.get();
    EXPECT_EQ(lost.outcome, StartOutcome::unknown);
    EXPECT_EQ(lost.code, "UNAVAILABLE");

    EXPECT_EQ(start(*executor, request_).outcome, StartOutcome::unreachable);
    EXPECT_EQ(fake_.starts(), 1);
    const CallResult<RunReport> question = describe(*executor, request_.execution);
    EXPECT_FALSE(question.answer);
    EXPECT_TRUE(question.failure.is_unreachable);
}

TEST_F(TemporalFaultsTest, AConnectionThatBreaksWhileIdleIsMadeAgainBeforeAnythingIsSent) {
    TcpProxy proxy(fake_.port());
    const auto executor = opened(options_at(proxy.port()));
    ASSERT_EQ(start(*executor, request_).outcome, StartOutcome::started);
    proxy.cut();
    // Until the cut is noticed a start may meet the dead connection; it never counts as refused.
    StartAnswer answer;
    do {
        answer = start(*executor, request_);
        ASSERT_NE(answer.outcome, StartOutcome::refused) << answer.code;
    } while (answer.outcome != StartOutcome::started);
}

TEST_F(TemporalFaultsTest, AServerThatIsOutOfOrderIsAskedBeforeTheNextStart) {
    std::atomic<bool> is_broken = true;
    fake_.on_start = [&](const auto&) {
        return FakeStatus{is_broken ? 14 : 0, ""};
    };
    fake_.on_system_info = [&] {
        return FakeStatus{is_broken && fake_.starts() > 0 ? 14 : 0, ""};
    };
    const auto executor = opened(options_at(fake_.port()));
    EXPECT_EQ(start(*executor, request_).outcome, StartOutcome::unknown);
    EXPECT_EQ(start(*executor, request_).outcome, StartOutcome::unreachable);
    EXPECT_EQ(start(*executor, request_).outcome, StartOutcome::unreachable);
    EXPECT_EQ(fake_.starts(), 1);
    is_broken = false;
    EXPECT_EQ(start(*executor, request_).outcome, StartOutcome::started);
    EXPECT_EQ(start(*executor, request_).outcome, StartOutcome::started);
    EXPECT_EQ(fake_.starts(), 3);
    EXPECT_EQ(fake_.system_infos(), 4);  // Not before each.
}

TEST_F(TemporalFaultsTest, WhoseRunItIsMustBeKnownBeforeItCounts) {
    fake_.on_start = [](const auto&) {
        return FakeStatus{6, "already started"};
    };
    fake_.on_describe = [](const auto&, auto&) {
        return FakeStatus{14, "not now"};
    };
    const StartAnswer unreachable = start_through(fake_.port());
    EXPECT_EQ(unreachable.outcome, StartOutcome::unknown);
    EXPECT_EQ(unreachable.code, "UNAVAILABLE");
    fake_.on_describe = [](const auto&, auto&) {
        return FakeStatus{5, "gone"};
    };
    const StartAnswer gone = start_through(fake_.port());
    EXPECT_EQ(gone.outcome, StartOutcome::unknown);
    EXPECT_EQ(gone.code, "ALREADY_EXISTS");
}

TEST_F(TemporalFaultsTest, StopMakesAStartUnknown) {
    fake_.on_start = [](const auto&) {
        return FakeStatus{.is_held = true};
    };
    const auto executor = opened(options_at(fake_.port()));
    Answer<StartAnswer> answer([&](auto done) { executor->start(request_, 1h, done); });
    fake_.wait_for_starts(1);
    executor->stop();
    EXPECT_EQ(answer.get().outcome, StartOutcome::unknown);
}

TEST_F(TemporalFaultsTest, AStartDoesNotWaitBehindThoseWhoWaitForAnEnd) {
    constexpr int kCallsMax = 3;
    std::atomic<int> ended = 0;
    FakeTemporal narrow(kCallsMax);
    narrow.on_describe = [](const auto&, auto&) {
        return FakeStatus{.is_held = true};
    };
    const auto executor =
        opened({.address = "127.0.0.1:" + std::to_string(narrow.port()), .task_queue = "q"});
    for (int count = 0; count < 2 * kCallsMax; ++count) {
        const ExecutionKey key = new_execution();
        executor->await_end(key, run_of(key), 1h, [&](const auto&) { ++ended; });
    }
    EXPECT_EQ(start(*executor, request_).outcome, StartOutcome::started);
    EXPECT_EQ(ended, 0);
}

TEST_F(TemporalFaultsTest, WhatIsSentIsWhatTheDefinitionSays) {
    wire::StartWorkflowExecutionRequest sent;
    fake_.on_start = [&](const auto& request) {
        sent = request;
        return FakeStatus{};
    };
    ASSERT_EQ(start_through(fake_.port()).outcome, StartOutcome::started);
    EXPECT_EQ(sent.workflow_id(), workflow_id(request_.execution));
    EXPECT_EQ(sent.input().payloads(0).data(), request_.payload);
    EXPECT_TRUE(names_execution(sent.memo(), request_.execution));
}

}  // namespace
}  // namespace millrace
