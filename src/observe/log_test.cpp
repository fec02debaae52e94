#include "observe/log.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <regex>
#include <sstream>
#include <thread>
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

TEST_F(LogTest, ColoursTheLevelWhenAskedTo) {
    LogConfig coloured = config(LogFormat::text);
    coloured.colour = LogColour::always;
    Log(coloured).error("No.");
    Log(config(LogFormat::text)).error("No.");
    EXPECT_EQ(without_time(lines_[0]), "T \x1b[31merror\x1b[0m No.");
    EXPECT_EQ(without_time(lines_[1]), "T error No.");
}

TEST_F(LogTest, SendsNoCommandToATerminal) {
    Log(config(LogFormat::text)).info("a\x1b[2J\nb", {{"c", "d\x1b[31m"}, {"e", "\xC2\x9B"}});
    EXPECT_EQ(without_time(lines_[0]), R"(T info  a\u001b[2J\nb  c="d\u001b[31m"  e="\u009b")");
}

TEST_F(LogTest, StaysJsonWithNumbersThatAreNone) {
    Log(config(LogFormat::json)).info("m", {{"a", 0.5}, {"b", std::nan("")}, {"c", HUGE_VAL}});
    EXPECT_EQ(without_time(lines_[0]),
              R"({"time":"T","level":"info","message":"m","a":0.5,"b":null,"c":null})");
}

// Goal: lines of many threads stay whole.
// Method: standard output is a pipe that a thread reads while others write.
TEST(LogOutput, KeepsLinesOfManyThreadsWhole) {
    constexpr int kThreads = 4;
    constexpr int kLines = 500;
    std::array<int, 2> ends{};
    ASSERT_EQ(pipe(ends.data()), 0);
    const int kept = dup(STDOUT_FILENO);
    ASSERT_GE(dup2(ends[1], STDOUT_FILENO), 0);
    close(ends[1]);

    std::string text;
    std::thread reader([&] {
        std::array<char, 4096> chunk{};
        ssize_t count = 0;
        while ((count = read(ends[0], chunk.data(), chunk.size())) > 0) {
            text.append(chunk.data(), static_cast<std::size_t>(count));
        }
    });
    {
        Log log({.format = LogFormat::json});
        std::vector<std::thread> writers;
        for (int i = 0; i < kThreads; ++i) {
            writers.emplace_back([&] {
                for (int n = 0; n < kLines; ++n) log.info(std::string(300, 'x'));
            });
        }
        for (std::thread& writer : writers) writer.join();
    }
    ASSERT_GE(dup2(kept, STDOUT_FILENO), 0);
    close(kept);
    reader.join();
    close(ends[0]);

    std::istringstream lines(text);
    std::string line;
    int count = 0;
    while (std::getline(lines, line)) {
        ++count;
        ASSERT_EQ(without_time(line),
                  R"({"time":"T","level":"info","message":")" + std::string(300, 'x') + R"("})");
    }
    EXPECT_EQ(count, kThreads * kLines);
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
