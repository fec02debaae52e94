#include "observe/otlp/span_exporter.hpp"

#include <gtest/gtest.h>

#include "support/fake_clock.hpp"

namespace millrace::observe::otlp {
namespace {

using namespace std::chrono_literals;

constexpr Instant kStart{std::chrono::seconds(1'700'000'000)};

// Answers as the test has planned, then with 200.
class FakeTransport final : public Transport {
public:
    Result<Reply> post(const std::string& body, const std::function<bool()>&) override {
        bodies.push_back(body);
        if (planned.empty()) return Reply{.status = 200};
        const Result<Reply> next = planned.front();
        planned.pop_front();
        return next;
    }

    std::deque<Result<Reply>> planned{};
    std::vector<std::string> bodies{};
};

class SpanExporterTest : public testing::Test {
protected:
    void take(int count) {
        for (int i = 0; i < count; ++i) {
            exporter_.take({.context = {1, 2, 3, true, true}, .name = "span" + std::to_string(i)});
        }
    }

    // What one line of the metrics says; 0 without one.
    std::string metric(const std::string& name) const {
        const std::string text = metrics_.text();
        const std::size_t at = text.find("\n" + name + " ");
        if (at == std::string::npos) return "0";
        const std::size_t begin = at + name.size() + 2;
        return text.substr(begin, text.find('\n', begin) - begin);
    }
    std::string exported() const { return metric("millrace_trace_spans_exported_total"); }
    std::string dropped(const std::string& reason) const {
        return metric("millrace_trace_spans_dropped_total{reason=\"" + reason + "\"}");
    }

    std::size_t count_of_lines(std::string_view sentence) const {
        std::size_t count = 0;
        for (const std::string& line : lines_) count += line.find(sentence) != std::string::npos;
        return count;
    }

    FakeClock clock_{kStart};
    FakeTransport transport_{};
    Metrics metrics_{};
    std::vector<std::string> lines_{};
    Log log_{{.sink = [this](std::string_view line) {
        lines_.emplace_back(line);
    }}};
    int wakes_ = 0;
    SpanExporter exporter_{transport_,
                           {{"service.name", "test"}},
                           clock_,
                           metrics_,
                           log_,
                           [this] { ++wakes_; },
                           {.spans_waiting_max = 10, .spans_per_request_max = 4}};
};

TEST_F(SpanExporterTest, WaitsAWhileForMoreSpans) {
    EXPECT_EQ(exporter_.run_once().next_at, std::nullopt);
    take(2);
    EXPECT_EQ(wakes_, 1);
    EXPECT_EQ(exporter_.run_once().next_at, kStart + 1s);
    EXPECT_TRUE(transport_.bodies.empty());
    clock_.advance(1s);
    EXPECT_TRUE(exporter_.run_once().progressed);
    ASSERT_EQ(transport_.bodies.size(), 1u);
    EXPECT_NE(transport_.bodies[0].find("span1"), std::string::npos);
    EXPECT_EQ(exported(), "2");
}

TEST_F(SpanExporterTest, SendsAtOnceWhatFillsARequest) {
    take(5);
    EXPECT_EQ(wakes_, 2);
    EXPECT_TRUE(exporter_.run_once().progressed);
    EXPECT_EQ(exported(), "4");
    EXPECT_EQ(exporter_.run_once().next_at, kStart + 1s);
}

TEST_F(SpanExporterTest, DropsTheOldestWhenTooManyWait) {
    take(13);
    EXPECT_EQ(dropped("queue_full"), "3");
    EXPECT_TRUE(exporter_.run_once().progressed);
    EXPECT_EQ(transport_.bodies[0].find("span2"), std::string::npos);
    EXPECT_NE(transport_.bodies[0].find("span3"), std::string::npos);
}

TEST_F(SpanExporterTest, TriesAgainWhatACollectorIsTooBusyFor) {
    for (const int status : {429, 502, 503, 504}) {
        transport_.bodies.clear();
        transport_.planned = {Reply{.status = status}};
        take(4);
        EXPECT_EQ(exporter_.run_once().next_at, clock_.now() + 1s) << status;
        EXPECT_EQ(exporter_.run_once().next_at, clock_.now() + 1s) << status;
        EXPECT_EQ(transport_.bodies.size(), 1u) << "not before its time";
        clock_.advance(1s);
        EXPECT_TRUE(exporter_.run_once().progressed);
        ASSERT_EQ(transport_.bodies.size(), 2u);
        EXPECT_EQ(transport_.bodies[0], transport_.bodies[1]);
    }
    EXPECT_EQ(exported(), "16");
    EXPECT_EQ(dropped("unreachable"), "0");
}

TEST_F(SpanExporterTest, WaitsAsLongAsACollectorAsksFor) {
    transport_.planned = {Reply{.status = 503, .retry_after = 7s},
                          Reply{.status = 429, .retry_after = 1h}};
    take(4);
    EXPECT_EQ(exporter_.run_once().next_at, kStart + 7s);
    clock_.advance(7s);
    EXPECT_EQ(exporter_.run_once().next_at, kStart + 7s + 30s) << "but not for ever";
}

TEST_F(SpanExporterTest, GivesUpAfterSomeTriesAndSaysSoOnce) {
    const Error away{ErrorCode::unavailable, "Connection refused"};
    for (int i = 0; i < 12; ++i) transport_.planned.push_back(away);
    take(8);
    std::vector<Duration> pauses;
    while (dropped("unreachable") != "8") {
        const Round round = exporter_.run_once();
        if (!round.next_at) continue;
        pauses.push_back(*round.next_at - clock_.now());
        clock_.advance(pauses.back());
    }
    EXPECT_EQ(transport_.bodies.size(), 12u);
    EXPECT_EQ(pauses, (std::vector<Duration>{1s, 2s, 4s, 8s, 16s, 1s, 2s, 4s, 8s, 16s}));
    EXPECT_EQ(count_of_lines("does not take spans"), 1u);
    take(4);
    EXPECT_TRUE(exporter_.run_once().progressed);
    EXPECT_EQ(count_of_lines("answers again"), 1u);
}

TEST_F(SpanExporterTest, DropsWhatACollectorRefuses) {
    transport_.planned = {Reply{.status = 401}};
    take(4);
    EXPECT_TRUE(exporter_.run_once().progressed);
    EXPECT_EQ(dropped("refused"), "4");
    EXPECT_EQ(transport_.bodies.size(), 1u);
}

TEST_F(SpanExporterTest, SendsWhatIsLeftWhenItIsClosed) {
    take(6);
    exporter_.close(kStart + 5s);
    EXPECT_TRUE(exporter_.run_once().progressed);
    EXPECT_TRUE(exporter_.run_once().progressed);
    EXPECT_EQ(exported(), "6");
    const Round idle = exporter_.run_once();
    EXPECT_TRUE(!idle.progressed && !idle.next_at);
}

TEST_F(SpanExporterTest, TriesNothingAgainBeyondItsEnd) {
    transport_.planned = {Reply{.status = 503}, Reply{.status = 503, .retry_after = 9s}};
    take(4);
    exporter_.close(kStart + 5s);
    EXPECT_EQ(exporter_.run_once().next_at, kStart + 1s);
    clock_.advance(1s);
    EXPECT_TRUE(exporter_.run_once().progressed);
    EXPECT_EQ(dropped("unreachable"), "4");

    take(2);
    clock_.advance(4s);
    const Round late = exporter_.run_once();
    EXPECT_TRUE(!late.progressed && !late.next_at);
    EXPECT_EQ(dropped("unreachable"), "6");
}

}  // namespace
}  // namespace millrace::observe::otlp
