#include "node/loop_health.hpp"

#include <gtest/gtest.h>

namespace millrace {
namespace {

using namespace std::chrono_literals;

class ZeroRandom final : public Random {
public:
    std::uint64_t next() override { return 0; }
};

class LoopHealthTest : public testing::Test {
protected:
    observe::LogConfig log_config() {
        return {.format = observe::LogFormat::json, .sink = [this](std::string_view line) {
                    lines_.emplace_back(line);
                }};
    }

    std::vector<std::string> lines_;
    observe::Log log_{log_config()};
    ZeroRandom random_;
    std::atomic<int> unhealthy_loops_ = 0;
    LoopHealth health_{"timers", log_, unhealthy_loops_, random_};
};

TEST_F(LoopHealthTest, PausesLongerEachTimeUntilItWorksAgain) {
    for (const Duration expected : {50ms, 100ms, 200ms}) {
        const runtime::Loop::Next next = health_.failed();
        EXPECT_EQ(next.after, expected);
        EXPECT_TRUE(next.is_pause);
    }
    health_.succeeded();
    EXPECT_EQ(health_.failed().after, 50ms);
}

TEST_F(LoopHealthTest, SaysOnceThatItFailsAndOnceThatItWorksAgain) {
    health_.succeeded();
    EXPECT_TRUE(lines_.empty());
    health_.failed();
    health_.failed();
    EXPECT_EQ(unhealthy_loops_, 1);
    health_.succeeded();
    health_.succeeded();
    EXPECT_EQ(unhealthy_loops_, 0);
    ASSERT_EQ(lines_.size(), 2u);
    EXPECT_NE(lines_[0].find("does not answer"), std::string::npos);
    EXPECT_NE(lines_[1].find("answers again"), std::string::npos);
}

}  // namespace
}  // namespace millrace
