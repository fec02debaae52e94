#pragma once

#include <chrono>
#include <string_view>
#include <vector>

#include "base/time.hpp"

namespace millrace::expression {

// Which offset from UTC holds when, from 1970 on; before, that of 1970. Immutable.
class ZoneHistory {
public:
    // `60 120 3.5.0/120 10.5.0/180;60 5a32dc:120 3ffc0:60`: the rule that holds behind all changes,
    // and the changes before. All of zones.txt, which tools/zone_table.py writes, is of that form.
    //
    // The rule has the offsets of standard and summer time in minutes and when each year summer
    // time begins and ends: month, week (5 is the last), weekday (0 is Sunday) and minute of that
    // day by the clock before the change; only the first offset where nothing changes any more. The
    // changes are the offset at first and then, for each, the minutes since the one before,
    // hexadecimal, and the new offset.
    explicit ZoneHistory(std::string_view text);

    std::chrono::minutes offset_at(Instant at) const;

    // When a clock there shows this. Of a time that it shows twice the first one; a time that it
    // skips is as much later as the clock was put forward.
    Instant instant_of(Instant shown) const;

private:
    struct Change {
        Instant at{};
        std::chrono::minutes offset{};
    };
    struct YearlyChange {
        std::chrono::month month{};
        unsigned week = 0;
        std::chrono::weekday weekday{};
        std::chrono::minutes minute{};
        std::chrono::minutes before{};
        std::chrono::minutes after{};
    };

    static Change in_year(const YearlyChange& change, std::chrono::year year);
    void read_rule(std::string_view text);
    void read_changes(std::string_view text);

    std::vector<Change> changes_{};  // The first holds from the beginning of time.
    std::vector<YearlyChange> rule_{};
};

struct NamedZone {
    std::string_view name{};
    const ZoneHistory* history = nullptr;
};

// By a name of the tz database, such as "Europe/Zurich"; null when there is none. The table is part
// of the program: every server gives the same, whatever its machine knows about zones.
const NamedZone* find_zone(std::string_view name);

}  // namespace millrace::expression
