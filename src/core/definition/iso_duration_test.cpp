#include "core/definition/iso_duration.hpp"

#include <gtest/gtest.h>

#include <string>

namespace millrace {
namespace {

using namespace std::chrono;
using namespace std::chrono_literals;

TEST(IsoDuration, ReadsEveryUnitInItsOrder) {
    const std::pair<std::string_view, IsoDuration> cases[] = {
        {"PT1S", {.exact = 1s}},
        {"PT30M", {.exact = 30min}},
        {"PT36H", {.exact = 36h}},
        {"P7D", {.exact = 168h}},
        {"P2W", {.exact = 336h}},
        {"P1M", {.months = 1}},
        {"P1Y", {.months = 12}},
        {"P1M1W", {.months = 1, .exact = 168h}},
        {"P1MT1M", {.months = 1, .exact = 1min}},
        {"P1Y2M3W4DT5H6M7.5S", {.months = 14, .exact = 25 * 24h + 5h + 6min + 7'500ms}},
        {"P0Y0M1D", {.exact = 24h}},
        {"PT0H0M1S", {.exact = 1s}},
        {"PT00001S", {.exact = 1s}},
        {"PT0.000001S", {.exact = 1us}},
        {"PT1,5S", {.exact = 1'500ms}},
        {"PT1.9999999S", {.exact = 1'999'999us}},
        {"PT0.5M", {.exact = 30s}},
        {"PT1.25H", {.exact = 75min}},
        {"P0.5D", {.exact = 12h}},
        {"P1.5W", {.exact = 252h}},
        {"P1DT0.1H", {.exact = 24h + 6min}},
        {"P0.5Y", {.months = 6}},
        {"P1.250Y", {.months = 15}},
        {"P2.0M", {.months = 2}},
        {"P100Y", {.months = 1'200}},
        {"P1200M", {.months = 1'200}},
        {"P36500D", {.exact = 36'500 * 24h}},
    };
    for (const auto& [text, expected] : cases) {
        const Result<IsoDuration> duration = parse_iso_duration(text);
        ASSERT_TRUE(duration) << text << " " << duration.error().detail;
        EXPECT_EQ(*duration, expected) << text;
    }
}

TEST(IsoDuration, RefusesEverythingElse) {
    const std::string_view cases[] = {
        "",
        "P",
        "PT",
        "T1H",
        "1D",
        "D",
        "PD",
        "PTS",
        "P1",
        "PT1",
        "P1DT",
        "P1DT1",
        "PTT1S",
        "P1D2H",  // no T
        "PT1D",
        "PT1Y",
        "PT1W",  // T too early
        "P1D1D",
        "P1M1Y",
        "P1D1W",
        "PT1S1M",
        "PT1M1H",     // order
        "P1DT1HT1M",  // T twice
        "-P1D",
        "+P1D",
        "P-1D",
        "P+1D",
        "PT-1S",  // signs
        "p1d",
        "P1d",
        "Pt1S",
        "PT1s",  // lower case
        " P1D",
        "P1D ",
        "P 1D",
        "P1 D",
        "P1D\n",  // white space
        "P.5D",
        "P1.D",
        "PT.5S",
        "PT1.S",
        "PT1..5S",
        "PT1.5.5S",
        "PT1.,5S",
        "P1.5DT1H",
        "PT1.5H1M",
        "P0.5Y1M",  // a fraction that is not last
        "P0.5M",
        "P0.1Y",
        "P0.0001Y",  // no whole months
        "P0D",
        "PT0S",
        "P0Y",
        "P0Y0M0DT0H0M0S",
        "PT0.0S",
        "PT0.0000001S",  // zero
        "P101Y",
        "P1201M",
        "P100YT1S",
        "P99Y13M",
        "P36525D",
        "PT9999999999S",
        "P9999999999999999999999Y",
        "P9999999999999999999999M",
        "PT99999999999999999999999999S",
        "P92233720368547758W",
        "PT9223372036854775807S",
        "P9223372036854775807D",
        "1 hour",
        "PT1X",
        "P1DX",
        "PT1H30",
        "PT5M30SS",
        "P2024-01-01",
        "PT\xC2\xBD"
        "H",
    };
    for (const std::string_view text : cases) {
        const Result<IsoDuration> duration = parse_iso_duration(text);
        ASSERT_FALSE(duration) << text;
        EXPECT_EQ(duration.error().code, ErrorCode::invalid_argument) << text;
    }
    EXPECT_FALSE(parse_iso_duration("PT" + std::string(100'000, '9') + "S"));
}

struct Sum {
    sys_time<Duration> start;
    std::string_view duration;
    sys_time<Duration> expected;
};

TEST(IsoDuration, FollowsTheCalendarForYearsAndMonths) {
    const Sum cases[] = {
        {sys_days{2026y / 1 / 15} + 10h, "P1M", sys_days{2026y / 2 / 15} + 10h},
        {sys_days{2026y / 1 / 31} + 10h, "P1M", sys_days{2026y / 2 / 28} + 10h},
        {sys_days{2024y / 1 / 31}, "P1M", sys_days{2024y / 2 / 29}},
        {sys_days{2024y / 2 / 29}, "P1Y", sys_days{2025y / 2 / 28}},
        {sys_days{2024y / 2 / 29}, "P4Y", sys_days{2028y / 2 / 29}},
        {sys_days{2026y / 3 / 31}, "P1M", sys_days{2026y / 4 / 30}},
        {sys_days{2026y / 12 / 31}, "P2M", sys_days{2027y / 2 / 28}},
        {sys_days{2026y / 11 / 30} + 23h, "P1MT2H", sys_days{2026y / 12 / 31} + 1h},
        {sys_days{2026y / 1 / 31}, "P1M1D", sys_days{2026y / 3 / 1}},
        {sys_days{2026y / 3 / 29} + 1h, "P1D", sys_days{2026y / 3 / 30} + 1h},
        {sys_days{2026y / 1 / 1} + 1us, "PT0.000001S", sys_days{2026y / 1 / 1} + 2us},
        {sys_days{2026y / 1 / 1}, "P100Y", sys_days{2126y / 1 / 1}},
    };
    for (const Sum& row : cases) {
        const Result<IsoDuration> duration = parse_iso_duration(row.duration);
        ASSERT_TRUE(duration) << row.duration;
        EXPECT_EQ(row.start + *duration, row.expected) << row.duration;
    }
}

TEST(IsoDuration, FollowsTheCalendarBackwards) {
    const Sum cases[] = {
        {sys_days{2026y / 2 / 15} + 10h, "P1M", sys_days{2026y / 1 / 15} + 10h},
        {sys_days{2026y / 3 / 31} + 10h, "P1M", sys_days{2026y / 2 / 28} + 10h},
        {sys_days{2024y / 2 / 29}, "P1Y", sys_days{2023y / 2 / 28}},
        {sys_days{2026y / 1 / 31}, "P2M", sys_days{2025y / 11 / 30}},
        {sys_days{2026y / 1 / 1} + 1h, "P1MT2H", sys_days{2025y / 11 / 30} + 23h},
        {sys_days{2026y / 1 / 1}, "P100Y", sys_days{1926y / 1 / 1}},
    };
    for (const Sum& row : cases) {
        const Result<IsoDuration> duration = parse_iso_duration(row.duration);
        ASSERT_TRUE(duration) << row.duration;
        EXPECT_EQ(row.start - *duration, row.expected) << row.duration;
    }
}

}  // namespace
}  // namespace millrace
