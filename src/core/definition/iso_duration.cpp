#include "core/definition/iso_duration.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

namespace millrace {

namespace {

// Long enough for any business, short enough that adding it to a date never overflows.
constexpr std::int64_t kMonthsMax = 100 * 12;
constexpr Duration kExactMax = std::chrono::years{100};

struct Unit {
    char letter;
    bool is_time;  // Stands behind the T.
    std::int64_t months;
    Duration exact;
};

// In the order in which they must stand.
constexpr std::array<Unit, 7> kUnits{{
    {'Y', false, 12, {}},
    {'M', false, 1, {}},
    {'W', false, 0, std::chrono::weeks{1}},
    {'D', false, 0, std::chrono::days{1}},
    {'H', true, 0, std::chrono::hours{1}},
    {'M', true, 0, std::chrono::minutes{1}},
    {'S', true, 0, std::chrono::seconds{1}},
}};

// One number of the text, such as 7.5; empty `fraction` when there is no decimal sign.
struct Number {
    std::int64_t whole = 0;
    std::string_view fraction{};
};

// The part of `unit` that 0.DIGITS is, rounded down. From the last digit to the first, so that
// rounding once per digit equals rounding once.
std::int64_t part_of(std::int64_t unit, std::string_view digits) {
    std::int64_t part = 0;
    for (auto digit = digits.rbegin(); digit != digits.rend(); ++digit) {
        part = (part + (*digit - '0') * unit) / 10;
    }
    return part;
}

// The same for a year (twelve months) or a month, if it comes to whole months.
std::optional<std::int64_t> whole_months(std::int64_t months, std::string_view digits) {
    const std::size_t last = digits.find_last_not_of('0');
    const std::string_view fraction = digits.substr(0, last + 1);
    if (fraction.empty()) return 0;
    if (months == 12 && fraction == "25") return 3;
    if (months == 12 && fraction == "5") return 6;
    if (months == 12 && fraction == "75") return 9;
    return std::nullopt;
}

// Reads from left to right. Its functions return the reason why the text is no duration.
class DurationReader {
public:
    explicit DurationReader(std::string_view text) : rest_(text) {}

    std::optional<std::string_view> read() {
        if (!take('P')) return "expected P at its front";
        while (!rest_.empty()) {
            if (take('T')) {
                if (is_time_) return "T stands twice";
                is_time_ = true;
                if (rest_.empty()) return "expected a number behind T";
            }
            if (const auto reason = read_part()) return reason;
        }
        if (unit_ == kUnits.begin()) return "expected a number behind P";
        return check_total();
    }

    IsoDuration duration() const { return duration_; }

private:
    std::optional<std::string_view> read_part() {
        if (has_fraction_) return "only the last number may have a fraction";
        const std::optional<Number> number = read_number();
        if (!number) return "expected a number";
        if (number->whole > kExactMax.count()) return "more than 100 years";
        if (rest_.empty()) return "expected a unit behind the number";
        const char letter = rest_.front();
        rest_.remove_prefix(1);
        const auto is_meant = [&](const Unit& unit) {
            return unit.letter == letter && unit.is_time == is_time_;
        };
        const auto unit = std::find_if(unit_, kUnits.end(), is_meant);
        if (unit == kUnits.end()) return "units must be Y, M, W, D, T, H, M, S in this order";
        unit_ = unit + 1;
        return unit->months > 0 ? add_calendar(*unit, *number) : add_exact(*unit, *number);
    }

    std::optional<Number> read_number() {
        Number number;
        const std::string_view digits = take_digits();
        if (digits.empty()) return std::nullopt;
        for (const char digit : digits) {
            // Far above every limit, far below an overflow.
            number.whole = std::min(number.whole * 10 + (digit - '0'), kExactMax.count() + 1);
        }
        if (take('.') || take(',')) {
            has_fraction_ = true;
            number.fraction = take_digits();
            if (number.fraction.empty()) return std::nullopt;
        }
        return number;
    }

    std::optional<std::string_view> add_calendar(const Unit& unit, const Number& number) {
        if (number.whole > kMonthsMax) return "more than 100 years";
        const std::optional<std::int64_t> part = whole_months(unit.months, number.fraction);
        if (!part) return "a fraction of a month has no fixed length";
        duration_.months += static_cast<std::int32_t>(number.whole * unit.months + *part);
        return std::nullopt;
    }

    std::optional<std::string_view> add_exact(const Unit& unit, const Number& number) {
        if (number.whole > kExactMax / unit.exact) return "more than 100 years";
        duration_.exact += number.whole * unit.exact;
        duration_.exact += Duration{part_of(unit.exact.count(), number.fraction)};
        return std::nullopt;
    }

    std::optional<std::string_view> check_total() const {
        if (duration_ == IsoDuration{}) return "it must be longer than zero";
        const Duration total = std::chrono::months{duration_.months} + duration_.exact;
        if (total > kExactMax) return "more than 100 years";
        return std::nullopt;
    }

    std::string_view take_digits() {
        const std::size_t count = std::min(rest_.find_first_not_of("0123456789"), rest_.size());
        const std::string_view digits = rest_.substr(0, count);
        rest_.remove_prefix(count);
        return digits;
    }

    bool take(char wanted) {
        if (!rest_.starts_with(wanted)) return false;
        rest_.remove_prefix(1);
        return true;
    }

    std::string_view rest_;
    decltype(kUnits)::const_iterator unit_ = kUnits.begin();  // The next one that may stand.
    bool is_time_ = false;
    bool has_fraction_ = false;
    IsoDuration duration_{};
};

// The same time of the same day so many months later, or of the last day of that month.
Instant move_by(Instant start, std::chrono::months count) {
    using namespace std::chrono;
    const sys_days day = floor<days>(start);
    year_month_day date = year_month_day{day} + count;
    if (!date.ok()) date = date.year() / date.month() / last;
    return sys_days{date} + (start - day);
}

}  // namespace

Result<IsoDuration> parse_iso_duration(std::string_view text) {
    DurationReader reader(text);
    if (const auto reason = reader.read()) {
        return Error{ErrorCode::invalid_argument,
                     "not an ISO 8601 duration: " + std::string(*reason)};
    }
    return reader.duration();
}

Instant operator+(Instant start, const IsoDuration& duration) {
    return move_by(start, std::chrono::months{duration.months}) + duration.exact;
}

Instant operator-(Instant end, const IsoDuration& duration) {
    return move_by(end, -std::chrono::months{duration.months}) - duration.exact;
}

}  // namespace millrace
