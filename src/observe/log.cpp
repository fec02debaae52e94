#include "observe/log.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <spdlog/common.h>
#include <spdlog/details/os.h>
#include <spdlog/sinks/base_sink.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <mutex>

#include "base/json/write.hpp"
#include "observe/line_writer.hpp"
#include "observe/log_text.hpp"

namespace millrace::observe {

namespace {

constexpr std::array<std::string_view, 4> kLevelNames{"debug", "info", "warn", "error"};
// Grey, green, yellow, red.
constexpr std::array<std::string_view, 4> kLevelColours{"\x1b[90m", "\x1b[32m", "\x1b[33m",
                                                        "\x1b[31m"};
constexpr std::string_view kPlain = "\x1b[0m";

std::string_view level_name(LogLevel level) {
    return kLevelNames[static_cast<std::size_t>(level)];
}

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

// JSON has no number for what is not finite.
void append_double(std::string& out, double number) {
    if (std::isfinite(number)) {
        fmt::format_to(std::back_inserter(out), "{}", number);
    } else {
        out += "null";
    }
}

void append_time(std::string& out, spdlog::log_clock::time_point now) {
    using namespace std::chrono;
    const auto micros = time_point_cast<microseconds>(now);
    const auto fraction = micros.time_since_epoch().count() % 1'000'000;
    fmt::format_to(std::back_inserter(out), "{:%Y-%m-%dT%H:%M:%S}.{:06}Z",
                   fmt::gmtime(time_point_cast<seconds>(micros)), fraction);
}

struct JsonValue {
    std::string& out;

    void operator()(std::string_view text) const { append_quoted(out, text); }
    void operator()(std::int64_t number) const { json::append_integer(out, number); }
    void operator()(double number) const { append_double(out, number); }
    void operator()(bool is) const { out += is ? "true" : "false"; }
};

// Quoted like JSON when it could be taken for something else, so that a line stays a line.
struct TextValue {
    std::string& out;

    void operator()(std::string_view text) const {
        const bool is_plain = !text.empty() && std::ranges::all_of(text, [](char c) {
            return c > ' ' && c != '"' && c != '=' && c != '\x7f';
        });
        if (is_plain) {
            out += text;
        } else {
            append_quoted(out, text);
        }
    }
    void operator()(std::int64_t number) const { json::append_integer(out, number); }
    void operator()(double number) const { append_double(out, number); }
    void operator()(bool is) const { out += is ? "true" : "false"; }
};

std::string json_line(LogLevel level, std::string_view sentence, LogFields fields,
                      spdlog::log_clock::time_point now) {
    std::string out = R"({"time":")";
    append_time(out, now);
    out += R"(","level":")";
    out += level_name(level);
    out += R"(","message":)";
    append_quoted(out, sentence);
    for (const LogField& field : fields) {
        out += ',';
        append_quoted(out, field.name);
        out += ':';
        std::visit(JsonValue{out}, field.value);
    }
    out += '}';
    return out;
}

std::string text_line(LogLevel level, std::string_view sentence, LogFields fields,
                      spdlog::log_clock::time_point now, bool is_coloured) {
    std::string out;
    append_time(out, now);
    const std::string_view colour = kLevelColours[static_cast<std::size_t>(level)];
    fmt::format_to(std::back_inserter(out), " {}{:<5}{} ", is_coloured ? colour : "",
                   level_name(level), is_coloured ? kPlain : "");
    append_readable(out, sentence);
    for (const LogField& field : fields) {
        fmt::format_to(std::back_inserter(out), "  {}=", field.name);
        std::visit(TextValue{out}, field.value);
    }
    return out;
}

class CallbackSink final : public spdlog::sinks::base_sink<std::mutex> {
public:
    explicit CallbackSink(std::function<void(std::string_view)> callback)
        : callback_(std::move(callback)) {}

private:
    void sink_it_(const spdlog::details::log_msg& message) override {
        callback_({message.payload.data(), message.payload.size()});
    }
    void flush_() override {}

    std::function<void(std::string_view)> callback_;
};

class OutputSink final : public spdlog::sinks::base_sink<std::mutex> {
private:
    void sink_it_(const spdlog::details::log_msg& message) override {
        // In one piece, so that lines of two processes into one file do not mix.
        writer_.write(std::string(message.payload.data(), message.payload.size()) + '\n');
    }
    void flush_() override {}

    LineWriter writer_{STDOUT_FILENO};
};

}  // namespace

std::optional<LogLevel> parse_log_level(std::string_view text) {
    for (std::size_t i = 0; i < kLevelNames.size(); ++i) {
        if (std::ranges::equal(text, kLevelNames[i], {}, lower)) return static_cast<LogLevel>(i);
    }
    return std::nullopt;
}

struct Log::Output {
    spdlog::sink_ptr sink{};
};

Log::Log(LogConfig config)
    : level_(config.level),
      is_json_(config.format == LogFormat::json ||
               (config.format == LogFormat::automatic && !isatty(STDOUT_FILENO))),
      is_coloured_(
          config.colour == LogColour::always ||
          (config.colour == LogColour::automatic && !config.sink && isatty(STDOUT_FILENO) != 0)),
      output_(std::make_unique<Output>()) {
    if (config.sink) {
        output_->sink = std::make_shared<CallbackSink>(std::move(config.sink));
    } else {
        output_->sink = std::make_shared<OutputSink>();
    }
}

Log::~Log() = default;

void Log::debug(std::string_view sentence, LogFields fields) {
    if (is_on(LogLevel::debug)) write(LogLevel::debug, sentence, fields);
}

void Log::info(std::string_view sentence, LogFields fields) {
    if (is_on(LogLevel::info)) write(LogLevel::info, sentence, fields);
}

void Log::warn(std::string_view sentence, LogFields fields) {
    if (is_on(LogLevel::warn)) write(LogLevel::warn, sentence, fields);
}

void Log::error(std::string_view sentence, LogFields fields) {
    if (is_on(LogLevel::error)) write(LogLevel::error, sentence, fields);
}

void Log::write(LogLevel level, std::string_view sentence, LogFields fields) {
    const auto now = spdlog::details::os::now();
    const std::string line = is_json_ ? json_line(level, sentence, fields, now)
                                      : text_line(level, sentence, fields, now, is_coloured_);
    output_->sink->log(spdlog::details::log_msg(now, {}, {}, spdlog::level::info, line));
}

}  // namespace millrace::observe
