#include "core/expression/time_layout.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "core/expression/time_value.hpp"
#include "core/expression/utf8.hpp"

namespace millrace::expression {
namespace {

namespace chrono = std::chrono;

enum class Element {
    text,  // Stands for itself.
    year,
    short_year,
    month,
    month_name,
    short_month_name,
    day,
    year_day,
    weekday_name,
    short_weekday_name,
    hour,
    half_day_hour,
    minute,
    second,
    half_day,
    fraction,           // As many digits as the layout has, of `.000`.
    optional_fraction,  // Any number of digits or none, of `.999`.
    offset,
    offset_or_z,
    zone_name,
};

struct Spelling {
    std::string_view text{};
    Element element = Element::text;
    std::size_t digits_min = 0;  // Of numbers.
    std::size_t digits_max = 0;
};

// Longer ones first where one begins as another does.
constexpr std::array<Spelling, 29> kSpellings{{
    {"January", Element::month_name},
    {"Jan", Element::short_month_name},
    {"Monday", Element::weekday_name},
    {"Mon", Element::short_weekday_name},
    {"MST", Element::zone_name},
    {"2006", Element::year, 4, 4},
    {"002", Element::year_day, 3, 3},
    {"__2", Element::year_day, 1, 3},
    {"01", Element::month, 2, 2},
    {"02", Element::day, 2, 2},
    {"03", Element::half_day_hour, 2, 2},
    {"04", Element::minute, 2, 2},
    {"05", Element::second, 2, 2},
    {"06", Element::short_year, 2, 2},
    {"_2", Element::day, 1, 2},
    {"15", Element::hour, 1, 2},
    {"1", Element::month, 1, 2},
    {"2", Element::day, 1, 2},
    {"3", Element::half_day_hour, 1, 2},
    {"4", Element::minute, 1, 2},
    {"5", Element::second, 1, 2},
    {"PM", Element::half_day},
    {"pm", Element::half_day},
    {"-07:00", Element::offset},
    {"-0700", Element::offset},
    {"-07", Element::offset},
    {"Z07:00", Element::offset_or_z},
    {"Z0700", Element::offset_or_z},
    {"Z07", Element::offset_or_z},
}};

constexpr std::array<std::string_view, 12> kMonths{"January",   "February", "March",    "April",
                                                   "May",       "June",     "July",     "August",
                                                   "September", "October",  "November", "December"};
constexpr std::array<std::string_view, 7> kWeekdays{"Sunday",   "Monday", "Tuesday", "Wednesday",
                                                    "Thursday", "Friday", "Saturday"};
constexpr std::size_t kShortName = 3;
constexpr std::size_t kShownMax = 16;  // Of an element, in a message.

bool is_digit_at(std::string_view text, std::size_t place) {
    return place < text.size() && text[place] >= '0' && text[place] <= '9';
}

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool starts_with_name(std::string_view text, std::string_view name) {
    return text.size() >= name.size() &&
           std::ranges::equal(text.substr(0, name.size()), name, {}, lower, lower);
}

// `.000` or `,999`; empty when the layout has none here.
std::string_view fraction_at(std::string_view layout) {
    const bool has_mark = layout.starts_with('.') || layout.starts_with(',');
    if (!has_mark || layout.size() < 2 || (layout[1] != '0' && layout[1] != '9')) return {};
    const std::size_t end = std::min(layout.find_first_not_of(layout[1], 1), layout.size());
    return is_digit_at(layout, end) ? std::string_view{} : layout.substr(0, end);
}

// A short name is none when more letters follow: `Month` is text.
bool is_spelled(std::string_view layout, const Spelling& spelling) {
    if (!layout.starts_with(spelling.text)) return false;
    if (spelling.text == "_2") return !layout.starts_with("_2006");
    if (spelling.text != "Jan" && spelling.text != "Mon") return true;
    return layout.size() == kShortName || layout[kShortName] < 'a' || layout[kShortName] > 'z';
}

// The element that the layout begins with.
Spelling spelling_at(std::string_view layout) {
    if (const auto fraction = fraction_at(layout); !fraction.empty()) {
        const bool is_optional = fraction[1] == '9';
        return {fraction, is_optional ? Element::optional_fraction : Element::fraction,
                fraction.size() - 1, fraction.size() - 1};
    }
    const auto found = std::ranges::find_if(
        kSpellings, [&](const Spelling& spelling) { return is_spelled(layout, spelling); });
    if (found != kSpellings.end()) return *found;
    const std::size_t spaces = std::min(layout.find_first_not_of(' '), layout.size());
    return Spelling{layout.substr(0, spaces > 0 ? spaces : utf8::size_at(layout, 0))};
}

// Takes the elements of one layout off a text.
class LayoutReader {
public:
    explicit LayoutReader(std::string_view text) : rest_(text) {}

    Status read(std::string_view layout) {
        while (!layout.empty()) {
            const Spelling spelling = spelling_at(layout);
            layout.remove_prefix(spelling.text.size());
            if (!read(spelling)) return failure(spelling);
            const bool has_fraction = !fraction_at(layout).empty();
            if (spelling.element == Element::second && !has_fraction) read_fraction(0);
        }
        if (!rest_.empty()) return fail("the string goes on where the layout ends");
        return ok();
    }

    Result<Time> time(const Zone& zone) const {
        if (!year_) return fail("the layout has no year, 2006");
        if (hour_ > 23 || minute_ > 59 || second_ > 59) return fail("there is no such time of day");
        const Duration clock = chrono::hours(hour_of_day()) + chrono::minutes(minute_) +
                               chrono::seconds(second_) + fraction_;
        if (!offset_) return make_time(date(), clock, zone);
        Result<Time> fixed = make_time(date(), clock, Zone{.offset = *offset_});
        if (!fixed) return fixed;
        // The text says what the zone says: then later times are the zone's too.
        const auto in_zone = shown_in(fixed->at, zone);
        return in_zone && in_zone->offset == *offset_ ? Result<Time>(*in_zone) : fixed;
    }

private:
    static Error fail(std::string detail) {
        return Error{.code = ErrorCode::invalid_argument, .detail = std::move(detail)};
    }

    Error failure(const Spelling& spelling) const {
        if (!problem_.empty()) return fail(problem_);
        return fail("the string does not fit the layout at \"" +
                    std::string(spelling.text.substr(0, kShownMax)) + '"');
    }

    bool read(const Spelling& spelling) {
        switch (spelling.element) {
            case Element::text: return read_text(spelling.text);
            case Element::year: return read_year(spelling);
            case Element::short_year: return read_short_year(spelling);
            case Element::month: return read_number(spelling, month_);
            case Element::month_name: return read_name(kMonths, std::string_view::npos, month_);
            case Element::short_month_name: return read_name(kMonths, kShortName, month_);
            case Element::day: return read_number(spelling, day_);
            case Element::year_day: return read_number(spelling, year_day_.emplace());
            case Element::weekday_name: return skip_weekday(std::string_view::npos);
            case Element::short_weekday_name: return skip_weekday(kShortName);
            case Element::hour: return read_number(spelling, hour_);
            case Element::half_day_hour: return read_number(spelling, hour_) && hour_ <= 12;
            case Element::minute: return read_number(spelling, minute_);
            case Element::second: return read_number(spelling, second_);
            case Element::half_day: return read_half_day(spelling.text);
            case Element::fraction: return read_fraction(spelling.digits_min);
            case Element::optional_fraction: read_fraction(0); return true;
            case Element::offset: return read_offset(spelling.text);
            case Element::offset_or_z:
                return accept("Z") ? set_offset({}) : read_offset(spelling.text);
            case Element::zone_name: return read_zone_name();
        }
        return false;
    }

    bool accept(std::string_view text) {
        if (!rest_.starts_with(text)) return false;
        rest_.remove_prefix(text.size());
        return true;
    }

    // Spaces of a layout fit any number of them.
    bool read_text(std::string_view text) {
        if (!text.starts_with(' ')) return accept(text);
        if (!rest_.empty() && !rest_.starts_with(' ')) return false;
        while (accept(" ")) {
        }
        return true;
    }

    // A number that may be shorter than its place, as in `_2`, has spaces before it.
    bool read_number(const Spelling& spelling, int& value) {
        std::size_t width = spelling.digits_max;
        while (spelling.text.starts_with('_') && width > 1 && accept(" ")) --width;
        std::size_t count = 0;
        value = 0;
        for (; count < width && is_digit_at(rest_, count); ++count) {
            value = value * 10 + (rest_[count] - '0');
        }
        if (count < spelling.digits_min) return false;
        rest_.remove_prefix(count);
        return count > 0;
    }

    bool read_year(const Spelling& spelling) { return read_number(spelling, year_.emplace()); }

    // From 1969 to 2068.
    bool read_short_year(const Spelling& spelling) {
        constexpr int kCentury = 100;
        constexpr int kFirst = 69;
        int value = 0;
        if (!read_number(spelling, value)) return false;
        year_ = value + (value >= kFirst ? 19 : 20) * kCentury;
        return true;
    }

    bool read_name(std::span<const std::string_view> names, std::size_t size, int& number) {
        for (std::size_t i = 0; i < names.size(); ++i) {
            const std::string_view name = names[i].substr(0, size);
            if (!starts_with_name(rest_, name)) continue;
            rest_.remove_prefix(name.size());
            number = static_cast<int>(i) + 1;
            return true;
        }
        return false;
    }

    // The date tells it already.
    bool skip_weekday(std::size_t size) {
        int unused = 0;
        return read_name(kWeekdays, size, unused);
    }

    bool read_half_day(std::string_view spelling) {
        const bool is_upper = spelling == "PM";
        half_day_ = accept(is_upper ? "PM" : "pm")   ? HalfDay::afternoon
                    : accept(is_upper ? "AM" : "am") ? HalfDay::morning
                                                     : HalfDay::none;
        return half_day_ != HalfDay::none;
    }

    // Exactly so many digits, or any number of them when it is 0. Beyond microseconds they are
    // dropped.
    bool read_fraction(std::size_t digits) {
        const bool has_mark = rest_.starts_with('.') || rest_.starts_with(',');
        if (!has_mark || !is_digit_at(rest_, 1)) return false;
        std::size_t end = 1;
        Duration value{};
        std::int64_t unit = 100'000;
        for (; is_digit_at(rest_, end) && (digits == 0 || end <= digits); ++end, unit /= 10) {
            value += Duration((rest_[end] - '0') * unit);
        }
        if (end <= digits) return false;
        rest_.remove_prefix(end);
        fraction_ = value;
        return true;
    }

    bool set_offset(chrono::minutes offset) {
        offset_ = offset;
        return true;
    }

    // `-0700`, `-07:00`, `-07`, with or without Z as the layout has it.
    bool read_offset(std::string_view spelling) {
        const int sign = rest_.starts_with('-') ? -1 : 1;
        if (!accept("-") && !accept("+")) return false;
        const Spelling two_digits{.digits_min = 2, .digits_max = 2};
        int hours = 0;
        int minutes = 0;
        if (!read_number(two_digits, hours)) return false;
        const bool has_colon = spelling.find(':') != std::string_view::npos;
        const bool has_minutes = spelling.ends_with("00");
        if (has_colon && !accept(":")) return false;
        if (has_minutes && !read_number(two_digits, minutes)) return false;
        if (hours > 23 || minutes > 59) return false;
        return set_offset(sign * chrono::minutes(hours * 60 + minutes));
    }

    bool read_zone_name() {
        if (accept("UTC") || accept("GMT")) return set_offset({});
        problem_ = "of the abbreviations of zones only UTC and GMT are understood";
        return false;
    }

    int hour_of_day() const {
        if (half_day_ == HalfDay::afternoon && hour_ < 12) return hour_ + 12;
        return half_day_ == HalfDay::morning && hour_ == 12 ? 0 : hour_;
    }

    // May be none that exists.
    chrono::year_month_day date() const {
        const chrono::year year(year_.value_or(0));
        if (!year_day_) {
            return {year, chrono::month(static_cast<unsigned>(month_)),
                    chrono::day(static_cast<unsigned>(day_))};
        }
        const chrono::year_month_day date(chrono::sys_days(year / chrono::January / 1) +
                                          chrono::days(*year_day_ - 1));
        return date.year() == year ? date : chrono::year_month_day(year / chrono::month(0) / 1);
    }

    enum class HalfDay { none, morning, afternoon };

    std::string_view rest_;
    std::string problem_{};
    std::optional<int> year_{};
    int month_ = 1;
    int day_ = 1;
    std::optional<int> year_day_{};
    int hour_ = 0;
    int minute_ = 0;
    int second_ = 0;
    HalfDay half_day_ = HalfDay::none;
    Duration fraction_{};
    std::optional<chrono::minutes> offset_{};
};

}  // namespace

Result<Time> parse_time(std::string_view text, std::string_view layout, const Zone& zone) {
    LayoutReader reader(text);
    if (const Status read = reader.read(layout); !read) return read.error();
    return reader.time(zone);
}

}  // namespace millrace::expression
