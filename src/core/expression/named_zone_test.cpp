#include "core/expression/named_zone.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/expression/time_value.hpp"

namespace millrace::expression {
namespace {

struct Row {
    std::string zone;
    std::string utc;
    std::string shown;
};

TEST(NamedZone, KnowsTheOffsetOfAnyTime) {
    for (const Row& row : std::vector<Row>{
             {"Europe/Zurich", "2026-03-29T00:59:59Z", "2026-03-29T01:59:59+01:00"},
             {"Europe/Zurich", "2026-03-29T01:00:00Z", "2026-03-29T03:00:00+02:00"},
             {"Europe/Zurich", "2026-10-25T00:59:59Z", "2026-10-25T02:59:59+02:00"},
             {"Europe/Zurich", "2026-10-25T01:00:00Z", "2026-10-25T02:00:00+01:00"},
             {"Europe/Zurich", "2150-07-01T00:00:00Z", "2150-07-01T02:00:00+02:00"},
             {"Europe/Zurich", "1980-07-01T00:00:00Z", "1980-07-01T01:00:00+01:00"},
             {"Europe/Zurich", "1981-07-01T00:00:00Z", "1981-07-01T02:00:00+02:00"},
             {"America/New_York", "2006-03-20T12:00:00Z", "2006-03-20T07:00:00-05:00"},
             {"America/New_York", "2007-03-20T12:00:00Z", "2007-03-20T08:00:00-04:00"},
             {"America/New_York", "2026-01-01T00:00:00Z", "2025-12-31T19:00:00-05:00"},
             {"America/Sao_Paulo", "2018-12-01T12:00:00Z", "2018-12-01T10:00:00-02:00"},
             {"America/Sao_Paulo", "2026-12-01T12:00:00Z", "2026-12-01T09:00:00-03:00"},
             {"Asia/Kolkata", "2026-01-01T00:00:00Z", "2026-01-01T05:30:00+05:30"},
             {"Asia/Kathmandu", "2026-01-01T00:00:00Z", "2026-01-01T05:45:00+05:45"},
             {"Australia/Lord_Howe", "2026-01-01T00:00:00Z", "2026-01-01T11:00:00+11:00"},
             {"Australia/Lord_Howe", "2026-07-01T00:00:00Z", "2026-07-01T10:30:00+10:30"},
             {"Australia/Sydney", "2026-12-31T23:00:00Z", "2027-01-01T10:00:00+11:00"},
             {"Europe/Dublin", "2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z"},
             {"Europe/Dublin", "2026-07-01T00:00:00Z", "2026-07-01T01:00:00+01:00"},
             {"America/Nuuk", "2026-07-01T00:00:00Z", "2026-06-30T23:00:00-01:00"},
             {"Africa/Casablanca", "2026-03-01T12:00:00Z", "2026-03-01T12:00:00Z"},
             {"Africa/Casablanca", "2026-07-01T12:00:00Z", "2026-07-01T13:00:00+01:00"},
             {"America/Grand_Turk", "2015-12-01T12:00:00Z", "2015-12-01T08:00:00-04:00"},
             {"America/Grand_Turk", "2018-12-01T12:00:00Z", "2018-12-01T07:00:00-05:00"},
             {"Pacific/Kiritimati", "2026-01-01T00:00:00Z", "2026-01-01T14:00:00+14:00"},
             {"Etc/GMT+5", "2026-01-01T12:00:00Z", "2026-01-01T07:00:00-05:00"},
             {"US/Pacific", "0001-06-01T12:00:00Z", "0001-06-01T04:00:00-08:00"}}) {
        const NamedZone* zone = find_zone(row.zone);
        ASSERT_NE(zone, nullptr) << row.zone;
        const auto time = shown_in(parse_time(row.utc)->at, Zone{.named = zone});
        ASSERT_TRUE(time) << row.zone << ' ' << row.utc;
        EXPECT_EQ(format_time(*time), row.shown) << row.zone << ' ' << row.utc;
    }
}

TEST(NamedZone, FindsWhenItsClockShowsSomething) {
    for (const Row& row : std::vector<Row>{
             {"Europe/Zurich", "2026-07-01T10:00:00Z", "2026-07-01T12:00:00Z"},
             {"Europe/Zurich", "2026-03-29T00:59:00Z", "2026-03-29T01:59:00Z"},
             {"Europe/Zurich", "2026-03-29T01:30:00Z", "2026-03-29T02:30:00Z"},  // Skipped.
             {"Europe/Zurich", "2026-03-29T01:30:00Z", "2026-03-29T03:30:00Z"},
             {"Europe/Zurich", "2026-10-25T00:30:00Z", "2026-10-25T02:30:00Z"},  // Twice.
             {"Europe/Zurich", "2026-10-25T02:00:00Z", "2026-10-25T03:00:00Z"},
             {"America/New_York", "2026-11-01T05:30:00Z", "2026-11-01T01:30:00Z"},  // Twice.
             {"America/New_York", "2026-11-01T07:00:00Z", "2026-11-01T02:00:00Z"},
             {"America/New_York", "2026-03-08T07:30:00Z", "2026-03-08T02:30:00Z"},  // Skipped.
             {"Asia/Tokyo", "2026-01-01T00:00:00Z", "2026-01-01T09:00:00Z"}}) {
        const auto at = find_zone(row.zone)->history->instant_of(parse_time(row.shown)->at);
        EXPECT_EQ(format_time(Time{.at = at}), row.utc) << row.zone << ' ' << row.shown;
    }
}

TEST(NamedZone, HasTheNamesOfTheDatabaseOnly) {
    for (const std::string name : {"", "Mars", "europe/zurich", "Europe", "Local", "CEST",
                                   "Europe/Zurich ", "../Europe/Zurich", "zones"}) {
        EXPECT_EQ(find_zone(name), nullptr) << name;
    }
    EXPECT_EQ(find_zone("Europe/Vaduz")->name, "Europe/Vaduz");
}

}  // namespace
}  // namespace millrace::expression
