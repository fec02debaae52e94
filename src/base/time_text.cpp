#include "base/time_text.hpp"

#include <algorithm>
#include <array>

namespace millrace {

namespace {

// RFC 3339 has four digits for a year. Earlier and later times, which only SQL can bring, are shown
// as the first and the last of these.
constexpr Instant kFirstShown{std::chrono::sys_days{std::chrono::year{0} / 1 / 1}};
constexpr Instant kLastShown =
    Instant{std::chrono::sys_days{std::chrono::year{10'000} / 1 / 1}} - Duration{1};

// The last `count` digits of a number, with zeros in front.
void append_digits(std::string& out, long number, int count) {
    std::array<char, 8> digits{};
    for (int i = count; i-- > 0; number /= 10) {
        digits[static_cast<std::size_t>(i)] = static_cast<char>('0' + number % 10);
    }
    out.append(digits.data(), static_cast<std::size_t>(count));
}

void append_fraction(std::string& out, long micros) {
    if (micros == 0) return;
    out += '.';
    append_digits(out, micros, 6);
    out.erase(out.find_last_not_of('0') + 1);
}

}  // namespace

void append_time_text(std::string& out, Instant at) {
    using namespace std::chrono;
    at = std::clamp(at, kFirstShown, kLastShown);
    const sys_days day = floor<days>(at);
    const year_month_day date(day);
    const hh_mm_ss time(at - day);
    append_digits(out, static_cast<int>(date.year()), 4);
    out += '-';
    append_digits(out, static_cast<long>(static_cast<unsigned>(date.month())), 2);
    out += '-';
    append_digits(out, static_cast<long>(static_cast<unsigned>(date.day())), 2);
    out += 'T';
    append_digits(out, time.hours().count(), 2);
    out += ':';
    append_digits(out, time.minutes().count(), 2);
    out += ':';
    append_digits(out, time.seconds().count(), 2);
    append_fraction(out, time.subseconds().count());
    out += 'Z';
}

std::string time_text(Instant at) {
    std::string text;
    append_time_text(text, at);
    return text;
}

}  // namespace millrace
