#include "core/expression/time_value.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>

#include "base/text.hpp"
#include "core/expression/named_zone.hpp"

namespace millrace::expression {
namespace {

namespace chrono = std::chrono;

// Takes fixed parts off the front of a text; after the first mismatch it stays failed.
class Scanner {
public:
    explicit Scanner(std::string_view text) : rest_(text) {}

    bool ok() const { return ok_; }
    bool at_end() const { return ok_ && rest_.empty(); }
    char peek() const { return rest_.empty() ? '\0' : rest_.front(); }

    int digits(std::size_t count) {
        int value = 0;
        for (std::size_t i = 0; i < count; ++i) {
            if (!is_digit(peek())) return fail();
            value = value * 10 + (peek() - '0');
            rest_.remove_prefix(1);
        }
        return value;
    }

    void expect(char c) {
        if (!accept(c)) fail();
    }

    bool accept(char c) {
        if (rest_.empty() || rest_.front() != c) return false;
        rest_.remove_prefix(1);
        return true;
    }

    int fail() {
        ok_ = false;
        rest_ = {};
        return 0;
    }

private:
    std::string_view rest_;
    bool ok_ = true;
};

// A fraction of a second; digits beyond microseconds are dropped.
Duration scan_fraction(Scanner& scanner) {
    if (!scanner.accept('.')) return {};
    if (!is_digit(scanner.peek())) scanner.fail();
    std::int64_t micros = 0;
    for (std::int64_t unit = 100'000; is_digit(scanner.peek()); unit /= 10) {
        micros += unit * scanner.digits(1);
    }
    return Duration(micros);
}

chrono::minutes scan_offset(Scanner& scanner) {
    if (scanner.accept('Z') || scanner.accept('z')) return {};
    const int sign = scanner.peek() == '-' ? -1 : 1;
    if (!scanner.accept('-')) scanner.expect('+');
    const int hours = scanner.digits(2);
    scanner.accept(':');
    const int minutes = scanner.digits(2);
    if (hours > 23 || minutes > 59) scanner.fail();
    return sign * chrono::minutes(hours * 60 + minutes);
}

Duration scan_clock(Scanner& scanner) {
    const int hours = scanner.digits(2);
    scanner.expect(':');
    const int minutes = scanner.digits(2);
    scanner.expect(':');
    const int seconds = scanner.digits(2);
    if (hours > 23 || minutes > 59 || seconds > 59) scanner.fail();
    return chrono::hours(hours) + chrono::minutes(minutes) + chrono::seconds(seconds) +
           scan_fraction(scanner);
}

chrono::year_month_day scan_date(Scanner& scanner) {
    const int year = scanner.digits(4);
    scanner.expect('-');
    const int month = scanner.digits(2);
    scanner.expect('-');
    const int day = scanner.digits(2);
    const chrono::year_month_day date{chrono::year(year),
                                      chrono::month(static_cast<unsigned>(month)),
                                      chrono::day(static_cast<unsigned>(day))};
    return date;
}

Error no_time(std::string detail) {
    return Error{.code = ErrorCode::invalid_argument, .detail = std::move(detail)};
}

struct Unit {
    std::string_view name{};
    std::int64_t nanoseconds = 0;
};

constexpr std::array<Unit, 8> kUnits{{{"ns", 1},
                                      {"us", 1'000},
                                      {"µs", 1'000},
                                      {"μs", 1'000},
                                      {"ms", 1'000'000},
                                      {"s", 1'000'000'000},
                                      {"m", 60'000'000'000},
                                      {"h", 3'600'000'000'000}}};

const Unit* find_unit(std::string_view text) {
    const Unit* found = nullptr;
    for (const Unit& unit : kUnits) {
        const bool is_longer = found == nullptr || unit.name.size() > found->name.size();
        if (is_longer && text.starts_with(unit.name)) found = &unit;
    }
    return found;
}

// Takes `1.5h` off the front of the text; nothing when it is none or does not fit.
std::optional<std::int64_t> take_part(std::string_view& text) {
    double amount = 0;
    const char* const end = text.data() + text.size();
    if (!is_digit(text.front()) && text.front() != '.') return std::nullopt;
    const auto [stop, problem] =
        std::from_chars(text.data(), end, amount, std::chars_format::fixed);
    if (problem != std::errc()) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(stop - text.data()));
    const Unit* unit = find_unit(text);
    if (unit == nullptr) return std::nullopt;
    text.remove_prefix(unit->name.size());
    return Value(std::round(amount * static_cast<double>(unit->nanoseconds))).whole();
}

// `1.5` for 15 tenths: the digits of a fraction without zeros at its end.
std::string with_fraction(std::int64_t value, std::int64_t unit) {
    std::string text = std::to_string(value / unit);
    std::string fraction;
    for (std::int64_t rest = value % unit; rest != 0; rest = rest * 10 % unit) {
        fraction += static_cast<char>('0' + rest * 10 / unit);
    }
    if (!fraction.empty()) text += '.' + fraction;
    return text;
}

std::string two_digits(std::int64_t value) {
    return {static_cast<char>('0' + value / 10 % 10), static_cast<char>('0' + value % 10)};
}

std::string format_offset(chrono::minutes offset) {
    const auto minutes = offset.count() < 0 ? -offset.count() : offset.count();
    return (offset.count() < 0 ? "-" : "+") + two_digits(minutes / 60) + ':' +
           two_digits(minutes % 60);
}

}  // namespace

std::optional<Time> shown_in(Instant at, const Zone& zone) {
    constexpr Instant kFirst = chrono::sys_days(chrono::year(1) / chrono::January / 1);
    constexpr Instant kEnd = chrono::sys_days(chrono::year(10'000) / chrono::January / 1);
    // No offset is longer than a day; what is further away could overflow with one.
    if (at < kFirst - chrono::days(1) || at > kEnd + chrono::days(1)) return std::nullopt;
    const auto offset = zone.named != nullptr ? zone.named->history->offset_at(at) : zone.offset;
    if (at + offset < kFirst || at + offset >= kEnd) return std::nullopt;
    return Time{.at = at, .offset = offset, .zone = zone.named};
}

Result<Time> make_time(chrono::year_month_day date, Duration clock, const Zone& zone) {
    if (!date.ok()) return no_time("there is no such day in the calendar");
    const Instant shown = Instant(chrono::sys_days(date)) + clock;
    const Instant at =
        zone.named != nullptr ? zone.named->history->instant_of(shown) : shown - zone.offset;
    const auto time = shown_in(at, zone);
    if (!time) return no_time(std::string(kBeyondYears));
    return *time;
}

Result<Time> parse_time(std::string_view text) {
    Scanner scanner(text);
    const chrono::year_month_day date = scan_date(scanner);
    Duration clock{};
    chrono::minutes offset{};
    if (!scanner.at_end()) {
        const bool is_rfc3339 = scanner.accept('T') || scanner.accept('t');
        if (!is_rfc3339) scanner.expect(' ');
        clock = scan_clock(scanner);
        if (is_rfc3339) offset = scan_offset(scanner);
    }
    if (!scanner.at_end())
        return no_time("the string is neither RFC 3339 nor YYYY-MM-DD, and no layout is given");
    return make_time(date, clock, Zone{.offset = offset});
}

std::string format_time(const Time& time) {
    const Instant shown = time.at + time.offset;
    const auto day = chrono::floor<chrono::days>(shown);
    const chrono::year_month_day date(day);
    const chrono::hh_mm_ss<Duration> clock(shown - day);
    std::array<char, 48> buffer{};
    std::snprintf(
        buffer.data(), buffer.size(), "%04d-%02u-%02uT%02d:%02d:", static_cast<int>(date.year()),
        static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
        static_cast<int>(clock.hours().count()), static_cast<int>(clock.minutes().count()));
    std::string seconds = with_fraction((clock.seconds() + clock.subseconds()).count(),
                                        Duration(chrono::seconds(1)).count());
    if (clock.seconds().count() < 10) seconds.insert(0, "0");
    return buffer.data() + seconds + (time.offset.count() == 0 ? "Z" : format_offset(time.offset));
}

std::optional<Span> parse_span(std::string_view text) {
    const bool is_negative = text.starts_with('-');
    if (is_negative || text.starts_with('+')) text.remove_prefix(1);
    if (text == "0") return Span(0);
    if (text.empty()) return std::nullopt;
    std::int64_t sum = 0;
    while (!text.empty()) {
        const auto part = take_part(text);
        if (!part || __builtin_add_overflow(sum, *part, &sum)) return std::nullopt;
    }
    return Span(is_negative ? -sum : sum);
}

std::string format_span(Span span) {
    if (span.count() == 0) return "0s";
    if (span == Span::min()) return "-2562047h47m16.854775808s";
    const std::int64_t nanos = span.count() < 0 ? -span.count() : span.count();
    std::string text = span.count() < 0 ? "-" : "";
    if (nanos < 1'000) return text + std::to_string(nanos) + "ns";
    if (nanos < 1'000'000) return text + with_fraction(nanos, 1'000) + "µs";
    if (nanos < 1'000'000'000) return text + with_fraction(nanos, 1'000'000) + "ms";
    const std::int64_t minutes = nanos / 60'000'000'000;
    if (minutes >= 60) text += std::to_string(minutes / 60) + "h";
    if (minutes > 0) text += std::to_string(minutes % 60) + "m";
    return text + with_fraction(nanos % 60'000'000'000, 1'000'000'000) + "s";
}

std::optional<Zone> parse_zone(std::string_view text) {
    if (text == "UTC" || text.empty()) return Zone{};
    if (const NamedZone* named = find_zone(text)) return Zone{.named = named};
    Scanner scanner(text);
    const chrono::minutes offset = scan_offset(scanner);
    if (!scanner.at_end()) return std::nullopt;
    return Zone{.offset = offset};
}

std::string format_zone(const Zone& zone) {
    if (zone.named != nullptr) return std::string(zone.named->name);
    return zone.offset.count() == 0 ? "UTC" : format_offset(zone.offset);
}

}  // namespace millrace::expression
