#include "core/expression/time_value.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

namespace millrace::expression {
namespace {

using namespace std::chrono_literals;

TEST(TimeValue, ReadsTimes) {
    for (const auto& [text, shown] : std::vector<std::pair<std::string, std::string>>{
             {"2024-02-29", "2024-02-29T00:00:00Z"},
             {"2024-02-29 15:04:05", "2024-02-29T15:04:05Z"},
             {"2024-02-29T15:04:05Z", "2024-02-29T15:04:05Z"},
             {"2024-02-29T15:04:05.120Z", "2024-02-29T15:04:05.12Z"},
             {"2024-02-29T15:04:05.123456789Z", "2024-02-29T15:04:05.123456Z"},
             {"2024-02-29T15:04:05-05:30", "2024-02-29T15:04:05-05:30"},
             {"1969-12-31T23:59:59.5Z", "1969-12-31T23:59:59.5Z"},
             {"0001-01-01", "0001-01-01T00:00:00Z"},
             {"0001-01-01T00:00:00+23:59", "0001-01-01T00:00:00+23:59"},
             {"9999-12-31", "9999-12-31T00:00:00Z"},
             {"9999-12-31T23:59:59.999999Z", "9999-12-31T23:59:59.999999Z"},
             {"9999-12-31T23:59:59-23:59", "9999-12-31T23:59:59-23:59"}}) {
        const auto time = parse_time(text);
        ASSERT_TRUE(time) << text;
        EXPECT_EQ(format_time(*time), shown);
    }
}

TEST(TimeValue, RefusesWhatIsNoTime) {
    for (const std::string text :
         {"", "2024", "2023-02-29", "2024-13-01", "24-01-01", "2024-01-01T", "2024-01-01T24:00:00Z",
          "2024-01-01T10:60:00Z", "2024-01-01T10:00:60Z", "2024-01-01T10:00:00",
          "2024-01-01T10:00Z", "2024-01-01T10:00:00.Z", "2024-01-01T10:00:00+24:00",
          "2024-01-01T10:00:00Zx", "x"}) {
        EXPECT_FALSE(parse_time(text)) << text;
    }
}

TEST(TimeValue, TellsWhyItRefuses) {
    for (const auto& [text, reason] : std::vector<std::pair<std::string, std::string_view>>{
             {"tomorrow", "the string is neither RFC 3339 nor YYYY-MM-DD, and no layout is given"},
             {"10000-01-01",
              "the string is neither RFC 3339 nor YYYY-MM-DD, and no layout is given"},
             {"2023-02-29", "there is no such day in the calendar"},
             {"2024-13-01T10:00:00Z", "there is no such day in the calendar"},
             {"0000-12-31", kBeyondYears},
             {"0000-12-31T23:59:59-01:00", kBeyondYears}}) {
        const auto time = parse_time(text);
        ASSERT_FALSE(time) << text;
        EXPECT_EQ(time.error().detail, reason) << text;
    }
}

TEST(TimeValue, ReadsAndWritesDurations) {
    for (const auto& [text, shown] :
         std::vector<std::pair<std::string, std::string>>{{"1h30m", "1h30m0s"},
                                                          {"90m", "1h30m0s"},
                                                          {"1.5s", "1.5s"},
                                                          {"100ms", "100ms"},
                                                          {"-2m", "-2m0s"},
                                                          {"+1s", "1s"},
                                                          {"0", "0s"},
                                                          {"0s", "0s"},
                                                          {"1ns", "1ns"},
                                                          {"1500ns", "1.5µs"},
                                                          {"1us", "1µs"},
                                                          {"1µs", "1µs"},
                                                          {".5h", "30m0s"},
                                                          {"1h1ms", "1h0m0.001s"}}) {
        const auto span = parse_span(text);
        ASSERT_TRUE(span) << text;
        EXPECT_EQ(format_span(*span), shown);
    }
    for (const std::string text :
         {"", "-", "1", "1x", "h", "1h-1m", "1e3s", "9999999999h", "nans"}) {
        EXPECT_FALSE(parse_span(text)) << text;
    }
    EXPECT_EQ(format_span(Span::min()), "-2562047h47m16.854775808s");
}

TEST(TimeValue, ReadsZones) {
    EXPECT_EQ(parse_zone("UTC")->offset, 0min);
    EXPECT_EQ(parse_zone("+02:00")->offset, 120min);
    EXPECT_EQ(parse_zone("-0530")->offset, -330min);
    EXPECT_EQ(format_zone(*parse_zone("-0530")), "-05:30");
    EXPECT_EQ(format_zone(*parse_zone("Europe/Zurich")), "Europe/Zurich");
    EXPECT_FALSE(parse_zone("Europe/Zürich"));
    EXPECT_FALSE(parse_zone("+2"));
}

RC_GTEST_PROP(TimeValue, ReadsWhatItWrites, ()) {
    const auto micros =
        *rc::gen::inRange<std::int64_t>(-62'000'000'000'000'000, 253'000'000'000'000'000);
    const auto offset = *rc::gen::inRange(-1439, 1440);
    const Time time{.at = Instant(Duration(micros)), .offset = std::chrono::minutes(offset)};
    const auto read = parse_time(format_time(time));
    RC_ASSERT(static_cast<bool>(read));
    RC_ASSERT(read->at == time.at);
    RC_ASSERT(read->offset == time.offset);
}

RC_GTEST_PROP(TimeValue, ReadsTheDurationsItWrites, ()) {
    const auto nanos = *rc::gen::inRange<std::int64_t>(-86'400'000'000'000, 86'400'000'000'000);
    RC_ASSERT(parse_span(format_span(Span(nanos))) == Span(nanos));
}

}  // namespace
}  // namespace millrace::expression
