#include "core/expression/methods.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <string>

#include "core/expression/arguments.hpp"
#include "core/expression/time_value.hpp"

namespace millrace::expression {
namespace {

namespace chrono = std::chrono;

// A time as its own clock and calendar show it.
struct Shown {
    explicit Shown(const Time& time)
        : day(chrono::floor<chrono::days>(time.at + time.offset)),
          date(day),
          clock(time.at + time.offset - day) {}

    chrono::sys_days day;
    chrono::year_month_day date;
    chrono::hh_mm_ss<Duration> clock;
};

std::int64_t year(const Shown& shown) {
    return static_cast<int>(shown.date.year());
}

std::int64_t month(const Shown& shown) {
    return static_cast<unsigned>(shown.date.month());
}

std::int64_t day(const Shown& shown) {
    return static_cast<unsigned>(shown.date.day());
}

std::int64_t hour(const Shown& shown) {
    return shown.clock.hours().count();
}

std::int64_t minute(const Shown& shown) {
    return shown.clock.minutes().count();
}

std::int64_t second(const Shown& shown) {
    return shown.clock.seconds().count();
}

// Sunday is 0.
std::int64_t weekday(const Shown& shown) {
    return chrono::weekday(shown.day).c_encoding();
}

std::int64_t year_day(const Shown& shown) {
    const chrono::sys_days first = shown.date.year() / chrono::January / 1;
    return (shown.day - first).count() + 1;
}

template <std::int64_t (*Part)(const Shown&)>
std::optional<Value> part_of_time(Evaluation& run, Arguments arguments) {
    const auto* time = arguments[0].get_if<Time>();
    if (time == nullptr) return fail_argument(run, "the method", "a time", arguments[0]);
    return Value(Part(Shown(*time)));
}

std::optional<Value> unix_seconds(Evaluation& run, Arguments arguments) {
    const auto* time = arguments[0].get_if<Time>();
    if (time == nullptr) return fail_argument(run, "Unix", "a time", arguments[0]);
    return Value(std::int64_t{chrono::floor<chrono::seconds>(time->at).time_since_epoch().count()});
}

std::optional<Value> in_zone(Evaluation& run, Arguments arguments) {
    const auto* time = arguments[0].get_if<Time>();
    if (time == nullptr) return fail_argument(run, "In", "a time", arguments[0]);
    const auto* zone = arguments[1].get_if<Zone>();
    if (zone == nullptr) return fail_argument(run, "In", "a timezone", arguments[1]);
    const auto moved = shown_in(time->at, *zone);
    if (!moved) return run.fail(std::string(kBeyondYears));
    return Value(*moved);
}

template <std::int64_t Nanoseconds>
std::optional<Value> length_in(Evaluation& run, Arguments arguments) {
    const auto* span = arguments[0].get_if<Span>();
    if (span == nullptr) return fail_argument(run, "the method", "a duration", arguments[0]);
    return Value(static_cast<double>(span->count()) / static_cast<double>(Nanoseconds));
}

std::optional<Value> milliseconds(Evaluation& run, Arguments arguments) {
    const auto* span = arguments[0].get_if<Span>();
    if (span == nullptr) return fail_argument(run, "Milliseconds", "a duration", arguments[0]);
    return Value(std::int64_t{span->count() / 1'000'000});
}

constexpr std::array<Method, 14> kMethods{{
    {"Year", 0, part_of_time<year>},
    {"Month", 0, part_of_time<month>},
    {"Day", 0, part_of_time<day>},
    {"Hour", 0, part_of_time<hour>},
    {"Minute", 0, part_of_time<minute>},
    {"Second", 0, part_of_time<second>},
    {"Weekday", 0, part_of_time<weekday>},
    {"YearDay", 0, part_of_time<year_day>},
    {"Unix", 0, unix_seconds},
    {"In", 1, in_zone},
    {"Hours", 0, length_in<3'600'000'000'000>},
    {"Minutes", 0, length_in<60'000'000'000>},
    {"Seconds", 0, length_in<1'000'000'000>},
    {"Milliseconds", 0, milliseconds},
}};

}  // namespace

const Method* find_method(std::string_view name) {
    const auto row = std::ranges::find(kMethods, name, &Method::name);
    return row != kMethods.end() ? &*row : nullptr;
}

std::span<const Method> methods() {
    return kMethods;
}

}  // namespace millrace::expression
