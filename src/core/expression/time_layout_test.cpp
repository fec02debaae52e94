#include "core/expression/time_layout.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

#include "core/expression/time_value.hpp"
#include "support/expressions.hpp"

namespace millrace::expression {
namespace {

struct Row {
    std::string text;
    std::string layout;
    std::string expected;  // The time, or why there is none.
};

std::string outcome(const Row& row, const Zone& zone = {}) {
    const auto time = parse_time(row.text, row.layout, zone);
    return time ? format_time(*time) : time.error().detail;
}

TEST(TimeLayout, ReadsWhatItShows) {
    for (const Row& row : std::vector<Row>{
             {"2026-03-01", "2006-01-02", "2026-03-01T00:00:00Z"},
             {"01.03.2026", "02.01.2006", "2026-03-01T00:00:00Z"},
             {"1.3.2026", "2.1.2006", "2026-03-01T00:00:00Z"},
             {"11.12.2026", "2.1.2006", "2026-12-11T00:00:00Z"},
             {"3/1/26", "1/2/06", "2026-03-01T00:00:00Z"},
             {"3/1/69", "1/2/06", "1969-03-01T00:00:00Z"},
             {"20260301", "20060102", "2026-03-01T00:00:00Z"},
             {"20260301T143005", "20060102T150405", "2026-03-01T14:30:05Z"},
             {"2026-03", "2006-01", "2026-03-01T00:00:00Z"},
             {"2026", "2006", "2026-01-01T00:00:00Z"},
             {"March 1, 2026", "January 2, 2006", "2026-03-01T00:00:00Z"},
             {"1 mar 2026", "2 Jan 2006", "2026-03-01T00:00:00Z"},
             {"Sunday, 01-Mar-26", "Monday, 02-Jan-06", "2026-03-01T00:00:00Z"},
             {"Sun Mar  1 14:30:05 2026", "Mon Jan _2 15:04:05 2006", "2026-03-01T14:30:05Z"},
             {"Sun Mar 11 14:30:05 2026", "Mon Jan _2 15:04:05 2006", "2026-03-11T14:30:05Z"},
             {"Sun Mar 1 14:30:05 UTC 2026", "Mon Jan _2 15:04:05 MST 2006",
              "2026-03-01T14:30:05Z"},
             {"2026-060", "2006-002", "2026-03-01T00:00:00Z"},
             {"2024-366", "2006-002", "2024-12-31T00:00:00Z"},
             {"2026  60", "2006 __2", "2026-03-01T00:00:00Z"},
             {"2026_3", "2006_1", "2026-03-01T00:00:00Z"},
             {"x_2026", "x_2006", "2026-01-01T00:00:00Z"},
             {"2026-03-01 9:05", "2006-01-02 15:04", "2026-03-01T09:05:00Z"},
             {"2026-03-01 9:05 PM", "2006-01-02 3:04 PM", "2026-03-01T21:05:00Z"},
             {"2026-03-01 12:05am", "2006-01-02 03:04pm", "2026-03-01T00:05:00Z"},
             {"2026-03-01 12:05PM", "2006-01-02 03:04PM", "2026-03-01T12:05:00Z"},
             {"2026-03-01 14:30:05.25", "2006-01-02 15:04:05", "2026-03-01T14:30:05.25Z"},
             {"2026-03-01 14:30:05.250", "2006-01-02 15:04:05.000", "2026-03-01T14:30:05.25Z"},
             {"2026-03-01 14:30:05,2", "2006-01-02 15:04:05,999", "2026-03-01T14:30:05.2Z"},
             {"2026-03-01 14:30:05", "2006-01-02 15:04:05.999", "2026-03-01T14:30:05Z"},
             {"2026-03-01 14:30:05.123456789", "2006-01-02 15:04:05.999999999",
              "2026-03-01T14:30:05.123456Z"},
             {"2026-03-01T14:30:05-0530", "2006-01-02T15:04:05-0700", "2026-03-01T14:30:05-05:30"},
             {"2026-03-01T14:30:05+02:00", "2006-01-02T15:04:05Z07:00",
              "2026-03-01T14:30:05+02:00"},
             {"2026-03-01T14:30:05Z", "2006-01-02T15:04:05Z07:00", "2026-03-01T14:30:05Z"},
             {"2026-03-01 14 +02", "2006-01-02 15 -07", "2026-03-01T14:00:00+02:00"},
             {"2026-03-01   14", "2006-01-02 15", "2026-03-01T14:00:00Z"},
             {"2026-03-01 14", "2006-01-02   15", "2026-03-01T14:00:00Z"},
             {"Month of 2026: 03", "Month of 2006: 01", "2026-03-01T00:00:00Z"},
             {"Jahr 2026 für Ä", "Jahr 2006 für Ä", "2026-01-01T00:00:00Z"},
             {"9999-12-31", "2006-01-02", "9999-12-31T00:00:00Z"}}) {
        EXPECT_EQ(outcome(row), row.expected) << row.text << " by " << row.layout;
    }
}

TEST(TimeLayout, TellsWhyItRefuses) {
    const std::string no_fit = "the string does not fit the layout at ";
    const std::string no_day = "there is no such day in the calendar";
    for (const Row& row : std::vector<Row>{
             {"2026-3-01", "2006-01-02", no_fit + "\"01\""},
             {"26-03-01", "2006-01-02", no_fit + "\"2006\""},
             {"2026/03/01", "2006-01-02", no_fit + "\"-\""},
             {"2026-03-01x", "2006-01-02", "the string goes on where the layout ends"},
             {"2026-03", "2006-01-02", no_fit + "\"-\""},
             {"", "2006", no_fit + "\"2006\""},
             {"2026-02-30", "2006-01-02", no_day},
             {"2026-13-01", "2006-01-02", no_day},
             {"2026-00-01", "2006-01-02", no_day},
             {"2026-366", "2006-002", no_day},
             {"2026-000", "2006-002", no_day},
             {"2026 24", "2006 15", "there is no such time of day"},
             {"2026 10:60", "2006 15:04", "there is no such time of day"},
             {"2026 13 PM", "2006 3 PM", no_fit + "\"3\""},
             {"2026 1 XM", "2006 3 PM", no_fit + "\"PM\""},
             {"2026 Mrz", "2006 Jan", no_fit + "\"Jan\""},
             {"2026 x", "2006 ä", no_fit + "\"ä\""},
             {"2026", "2006." + std::string(100, '0'), no_fit + "\"." + std::string(15, '0') + '"'},
             {"2026 Sonntag", "2006 Monday", no_fit + "\"Monday\""},
             {"2026 +2", "2006 -07", no_fit + "\"-07\""},
             {"2026 +24:00", "2006 -07:00", no_fit + "\"-07:00\""},
             {"2026 CEST", "2006 MST",
              "of the abbreviations of zones only UTC and GMT are understood"},
             {"2026 05.1", "2006 05.00", no_fit + "\".00\""},
             {"14:30", "15:04", "the layout has no year, 2006"},
             {"0000", "2006", std::string(kBeyondYears)},
             {"", "", "the layout has no year, 2006"}}) {
        EXPECT_EQ(outcome(row), row.expected) << row.text << " by " << row.layout;
    }
}

TEST(TimeLayout, TakesTheZoneWhereTheTextHasNone) {
    const Zone zurich = *parse_zone("Europe/Zurich");
    EXPECT_EQ(outcome({"01.07.2026 12:00", "02.01.2006 15:04", {}}, zurich),
              "2026-07-01T12:00:00+02:00");
    EXPECT_EQ(outcome({"01.01.2026 12:00", "02.01.2006 15:04", {}}, zurich),
              "2026-01-01T12:00:00+01:00");
    EXPECT_EQ(outcome({"01.01.2026 12:00 -05", "02.01.2006 15:04 -07", {}}, zurich),
              "2026-01-01T12:00:00-05:00");
    EXPECT_EQ(outcome({"2026", "2006", {}}, *parse_zone("+05:30")), "2026-01-01T00:00:00+05:30");
    EXPECT_NE(parse_time("2026 +01", "2006 -07", zurich)->zone, nullptr);
    EXPECT_EQ(parse_time("2026 +02", "2006 -07", zurich)->zone, nullptr);
}

TEST(TimeLayout, IsPartOfTheLanguage) {
    expect_rows({
        {"date('01.03.2026', '02.01.2006')", "\"2026-03-01T00:00:00Z\""},
        {"date('01.07.2026 12:00', '02.01.2006 15:04', 'Europe/Zurich')",
         "\"2026-07-01T12:00:00+02:00\""},
        {"date('2026-07-01', '2006-01-02', timezone('America/New_York'))",
         "\"2026-07-01T00:00:00-04:00\""},
        {"date('2026-03-01', '2006-01-02', '+02:00')", "\"2026-03-01T00:00:00+02:00\""},
        {"date('2026-03-28 12:00', '2006-01-02 15:04', 'Europe/Zurich') + duration('24h')",
         "\"2026-03-29T13:00:00+02:00\""},
        {"now().In(timezone('Asia/Kolkata'))", "\"2026-03-01T17:30:45+05:30\""},
        {"now(timezone('Europe/Zurich')).Hour()", "13"},
        {"timezone('Europe/Zurich')", "\"Europe/Zurich\""},
        {"timezone('Europe/Zurich') == timezone('Europe/Zurich')", "true"},
        {"timezone('Europe/Zurich') == timezone('Europe/Berlin')", "false"},
        {"timezone('Europe/Zurich') == timezone('UTC')", "false"},
        {"date('Sun, 01 Mar 2026 12:00:00 GMT')", "\"2026-03-01T12:00:00Z\""},
        {"date('01 Mar 26 12:00 UTC')", "\"2026-03-01T12:00:00Z\""},
        {"date('Sunday, 01-Mar-26 12:00:00 UTC')", "\"2026-03-01T12:00:00Z\""},
        {"date('01.03.2026')", "error"},
        {"date('01.03.2026', '2006-01-02')", "error"},
        {"date('01.03.2026', 1)", "error"},
        {"date('01.03.2026', '02.01.2006', 'Mars')", "error"},
        {"date('01.03.2026', '02.01.2006', 1)", "error"},
        {"date('01.03.2026', '02.01.2006', 'UTC', 1)", "bad"},
        {"date()", "bad"},
        {"date(repeat('x', 200000), repeat('x', 200000))", "error"},
    });
}

RC_GTEST_PROP(TimeLayout, NeverCrashes, (const std::string& text)) {
    const auto layout = *rc::gen::container<std::string>(
        rc::gen::elementOf(std::string("0123456_ .,9-Z:PMpJanuaryMondayST")));
    (void)parse_time(text, layout, Zone{});
    const auto again = parse_time(layout, layout, Zone{});
    if (again) RC_ASSERT(!format_time(*again).empty());
}

}  // namespace
}  // namespace millrace::expression
