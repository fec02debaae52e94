#include "observe/log.hpp"

#include <gtest/gtest.h>

#include <regex>
#include <vector>

namespace millrace::observe {
namespace {

class LogTest : public testing::Test {
protected:
    LogConfig config(LogFormat format, LogLevel level = LogLevel::debug) {
        return {.level = level, .format = format, .sink = [this](std::string_view line) {
                    lines_.emplace_back(line);
                }};
    }

    std::vector<std::string> lines_;
};

// Times are the one thing that differs between runs.
std::string without_time(const std::string& line) {
    static const std::regex time(R"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z)");
    return std::regex_replace(line, time, "T");
}

TEST_F(LogTest, WritesOneJsonObjectPerLine) {
    Log log(config(LogFormat::json));
    log.warn("A \"quoted\" line\nbreaks.", {{"requestId", "r-1"}, {"count", 3}, {"is", true}});
    ASSERT_EQ(lines_.size(), 1u);
    EXPECT_EQ(without_time(lines_[0]),
              R"({"time":"T","level":"warn","message":"A \"quoted\" line\nbreaks.",)"
              R"("requestId":"r-1","count":3,"is":true})");
}

TEST_F(LogTest, WritesTextForPeopleThatStaysOnOneLine) {
    Log log(config(LogFormat::text));
    log.info("Listening.", {{"port", 8080}, {"host", "::1"}, {"note", "two words\nand a line"}});
    ASSERT_EQ(lines_.size(), 1u);
    EXPECT_EQ(without_time(lines_[0]),
              R"(T info  Listening.  port=8080  host=::1  note="two words\nand a line")");
}

TEST_F(LogTest, LeavesOutWhatIsBelowItsLevel) {
    Log log(config(LogFormat::text, LogLevel::warn));
    log.debug("No.");
    log.info("No.");
    log.warn("Yes.");
    log.error("Yes.");
    EXPECT_EQ(lines_.size(), 2u);
    EXPECT_FALSE(log.is_on(LogLevel::info));
    EXPECT_TRUE(log.is_on(LogLevel::error));
}

TEST(LogLevelTest, IsReadInAnyCase) {
    EXPECT_EQ(parse_log_level("debug"), LogLevel::debug);
    EXPECT_EQ(parse_log_level("WARN"), LogLevel::warn);
    EXPECT_EQ(parse_log_level("Error"), LogLevel::error);
    EXPECT_EQ(parse_log_level("loud"), std::nullopt);
}

}  // namespace
}  // namespace millrace::observe
