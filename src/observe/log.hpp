#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace millrace::observe {

enum class LogLevel { debug, info, warn, error };

// debug, info, warn, error in any case.
std::optional<LogLevel> parse_log_level(std::string_view text);

// One named fact of a line. Only lives as long as the call. Never a variable of a user, a request's
// body, a password or a connection string.
struct LogField {
    std::string_view name{};
    std::variant<std::string_view, std::int64_t, double, bool> value{};

    LogField(std::string_view field_name, std::string_view text) : name(field_name), value(text) {}
    LogField(std::string_view field_name, const std::string& text)
        : name(field_name), value(std::string_view(text)) {}
    LogField(std::string_view field_name, const char* text)
        : name(field_name), value(std::string_view(text)) {}
    LogField(std::string_view field_name, bool is) : name(field_name), value(is) {}
    LogField(std::string_view field_name, double number) : name(field_name), value(number) {}
    template <std::integral Integer>
    requires(!std::same_as<Integer, bool>) LogField(std::string_view field_name, Integer number)
        : name(field_name), value(static_cast<std::int64_t>(number)) {}
};

using LogFields = std::initializer_list<LogField>;

// For programs: one JSON object per line. For people: text. Automatic: text on a terminal.
enum class LogFormat { automatic, json, text };

// Of text. Automatic: on a terminal.
enum class LogColour { automatic, never, always };

struct LogConfig {
    LogLevel level = LogLevel::info;
    LogFormat format = LogFormat::automatic;
    LogColour colour = LogColour::automatic;
    // Takes the lines instead of the standard output, without their ends; called by any thread.
    std::function<void(std::string_view line)> sink{};
};

// Writes lines: when, how bad, one sentence, and facts beside it. Thread-safe. A line below the
// level costs a comparison. A line that cannot be written is lost; nobody fails or waits for that.
class Log {
public:
    explicit Log(LogConfig config = {});
    ~Log();

    bool is_on(LogLevel level) const { return level >= level_; }

    void debug(std::string_view sentence, LogFields fields = {});
    void info(std::string_view sentence, LogFields fields = {});
    void warn(std::string_view sentence, LogFields fields = {});
    void error(std::string_view sentence, LogFields fields = {});

private:
    struct Output;

    void write(LogLevel level, std::string_view sentence, LogFields fields);

    LogLevel level_;
    bool is_json_;
    bool is_coloured_;
    std::unique_ptr<Output> output_;
};

}  // namespace millrace::observe
