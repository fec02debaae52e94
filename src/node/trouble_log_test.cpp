#include "node/trouble_log.hpp"

#include <gtest/gtest.h>

#include "support/fake_clock.hpp"

namespace millrace {
namespace {

TEST(TroubleLog, SaysTheSameOnceAMinute) {
    std::string lines;
    observe::Log log({.format = observe::LogFormat::json, .sink = [&lines](std::string_view line) {
                          lines += line;
                      }});
    FakeClock clock{Instant{}};
    TroubleLog troubles(log, clock);
    const auto count = [&](std::string_view text) {
        int found = 0;
        for (std::size_t at = 0; (at = lines.find(text, at)) != std::string::npos; ++at) ++found;
        return found;
    };
    troubles.note("no route");
    troubles.note("no route");
    troubles.note("no room");
    EXPECT_EQ(count("no route"), 1);
    EXPECT_EQ(count("no room"), 1);
    clock.advance(std::chrono::minutes(1));
    troubles.note("no route");
    EXPECT_EQ(count("no route"), 2);
}

}  // namespace
}  // namespace millrace
