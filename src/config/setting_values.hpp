#pragma once

#include <charconv>
#include <chrono>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "config/server_config.hpp"

// How settings are read from a text and written as one; what the tables of settings are made of.
namespace millrace::config {

inline constexpr std::string_view kBoolean = "true or false";
inline constexpr std::string_view kPath = "the path of a file";

// Each is false, and leaves `out` in any state, when the text does not fit.

template <class Integer>
bool parse_integer(std::string_view text, Integer min, Integer max, Integer& out) {
    const char* end = text.data() + text.size();
    const auto [parsed, error] = std::from_chars(text.data(), end, out);
    return error == std::errc{} && parsed == end && out >= min && out <= max;
}

bool parse_decimal(std::string_view text, double min, double max, double& out);
bool parse_boolean(std::string text, bool& out);
// Seconds that may have decimals.
bool parse_seconds(std::string_view text, double min, double max, std::chrono::milliseconds& out);
bool one_of(const std::string& text, std::initializer_list<std::string_view> choices,
            std::string& out);
// A URL or keywords, as libpq takes them.
bool is_postgres(std::string_view text);

// As it could have been given.
std::string decimal_text(double number);

// What `path` leads to: member<&ServerConfig::tls, &TlsFiles::key>(config).
template <auto first, auto... rest>
auto& member(auto& object) {
    if constexpr (sizeof...(rest) == 0) {
        return object.*first;
    } else {
        return member<rest...>(object.*first);
    }
}

template <auto... path>
bool set_text(ServerConfig& config, const std::string& value) {
    member<path...>(config) = value;
    return true;
}

template <auto... path>
std::string get_text(const ServerConfig& config) {
    return member<path...>(config);
}

template <auto... path>
bool set_port(ServerConfig& config, const std::string& value) {
    return parse_integer<std::uint16_t>(value, 0, 65535, member<path...>(config));
}

template <int min, int max, auto... path>
bool set_integer(ServerConfig& config, const std::string& value) {
    return parse_integer(value, min, max, member<path...>(config));
}

template <auto... path>
std::string get_integer(const ServerConfig& config) {
    return std::to_string(member<path...>(config));
}

// Whole seconds.
template <int min, int max, auto... path>
bool set_whole_seconds(ServerConfig& config, const std::string& value) {
    int seconds = 0;
    if (!parse_integer(value, min, max, seconds)) return false;
    member<path...>(config) = std::chrono::seconds(seconds);
    return true;
}

template <auto... path>
std::string get_seconds(const ServerConfig& config) {
    return decimal_text(std::chrono::duration<double>(member<path...>(config)).count());
}

template <auto... path>
bool set_boolean(ServerConfig& config, const std::string& value) {
    return parse_boolean(value, member<path...>(config));
}

template <auto... path>
std::string get_boolean(const ServerConfig& config) {
    return member<path...>(config) ? "true" : "false";
}

}  // namespace millrace::config
