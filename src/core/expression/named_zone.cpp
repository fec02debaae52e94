#include "core/expression/named_zone.hpp"

#include <algorithm>
#include <charconv>
#include <list>
#include <utility>

#include "base/check.hpp"
#include "core_zones.hpp"

namespace millrace::expression {
namespace {

namespace chrono = std::chrono;

// The part of the text before the separator, which are both taken off.
std::string_view take_until(std::string_view& text, char separator) {
    const std::size_t end = text.find(separator);
    const std::string_view part = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    return part;
}

int number_of(std::string_view digits, int base = 10) {
    int value = 0;
    const char* const end = digits.data() + digits.size();
    const auto [stop, problem] = std::from_chars(digits.data(), end, value, base);
    MILLRACE_CHECK(problem == std::errc() && stop == end);
    return value;
}

// All zones by name, read once from the text in the program.
class ZoneTable {
public:
    ZoneTable() {
        for (std::string_view line : kZoneLines) {
            std::string_view names = take_until(line, ';');
            const ZoneHistory& history = histories_.emplace_back(line);
            while (!names.empty()) zones_.push_back({take_until(names, ','), &history});
        }
        std::ranges::sort(zones_, {}, &NamedZone::name);
    }

    const NamedZone* find(std::string_view name) const {
        const auto place = std::ranges::lower_bound(zones_, name, {}, &NamedZone::name);
        return place != zones_.end() && place->name == name ? &*place : nullptr;
    }

private:
    std::list<ZoneHistory> histories_{};
    std::vector<NamedZone> zones_{};
};

}  // namespace

ZoneHistory::ZoneHistory(std::string_view text) {
    read_rule(take_until(text, ';'));
    read_changes(text);
}

void ZoneHistory::read_rule(std::string_view text) {
    const chrono::minutes standard(number_of(take_until(text, ' ')));
    if (text.empty()) return;  // The last change says it all.
    const chrono::minutes summer(number_of(take_until(text, ' ')));
    for (const auto& [before, after] : {std::pair(standard, summer), std::pair(summer, standard)}) {
        std::string_view day = take_until(text, ' ');
        const int month = number_of(take_until(day, '.'));
        const int week = number_of(take_until(day, '.'));
        const int weekday = number_of(take_until(day, '/'));
        rule_.push_back({.month = chrono::month(static_cast<unsigned>(month)),
                         .week = static_cast<unsigned>(week),
                         .weekday = chrono::weekday(static_cast<unsigned>(weekday)),
                         .minute = chrono::minutes(number_of(day)),
                         .before = before,
                         .after = after});
    }
}

void ZoneHistory::read_changes(std::string_view text) {
    Instant at{};
    changes_.push_back({Instant::min(), chrono::minutes(number_of(take_until(text, ' ')))});
    while (!text.empty()) {
        std::string_view change = take_until(text, ' ');
        at += chrono::minutes(number_of(take_until(change, ':'), 16));
        changes_.push_back({at, chrono::minutes(number_of(change))});
    }
}

ZoneHistory::Change ZoneHistory::in_year(const YearlyChange& change, chrono::year year) {
    constexpr unsigned kLastWeek = 5;
    const chrono::sys_days day =
        change.week == kLastWeek
            ? chrono::sys_days(year / change.month / change.weekday[chrono::last])
            : chrono::sys_days(year / change.month / change.weekday[change.week]);
    return {Instant(day) + change.minute - change.before, change.after};
}

chrono::minutes ZoneHistory::offset_at(Instant at) const {
    const auto after = std::ranges::upper_bound(changes_, at, {}, &Change::at);
    Change last = *std::prev(after);
    if (after != changes_.end()) return last.offset;
    const chrono::year year = chrono::year_month_day(chrono::floor<chrono::days>(at)).year();
    for (const YearlyChange& yearly : rule_) {
        for (const chrono::year candidate : {year - chrono::years(1), year}) {
            const Change change = in_year(yearly, candidate);
            if (change.at <= at && change.at > last.at) last = change;
        }
    }
    return last.offset;
}

Instant ZoneHistory::instant_of(Instant shown) const {
    // No zone is a day away from UTC, and none changes twice in two days.
    const chrono::minutes before = offset_at(shown - chrono::days(1));
    const chrono::minutes after = offset_at(shown + chrono::days(1));
    const bool is_after = offset_at(shown - before) != before && offset_at(shown - after) == after;
    return shown - (is_after ? after : before);
}

const NamedZone* find_zone(std::string_view name) {
    static const ZoneTable kTable;
    return kTable.find(name);
}

}  // namespace millrace::expression
