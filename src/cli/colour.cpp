#include "cli/colour.hpp"

#include <array>
#include <utility>

namespace millrace::cli {
namespace {

constexpr std::array<std::pair<std::string_view, Colour>, 16> kStates{{
    {"COMPLETED", Colour::green},
    {"FAILED", Colour::red},
    {"EXPIRED", Colour::red},
    {"TIMED_OUT", Colour::red},
    {"CANCELLED", Colour::yellow},
    {"SKIPPED", Colour::yellow},
    {"ACTIVE", Colour::cyan},
    {"RUNNING", Colour::cyan},
    {"LOCKED", Colour::cyan},
    {"OPEN", Colour::cyan},
    {"OK", Colour::green},
    {"WARNING", Colour::yellow},
    {"PROBLEM", Colour::red},
    {"PENDING", Colour::yellow},
    {"CHANGED", Colour::red},
    {"UNKNOWN", Colour::red},
}};

std::string_view code_of(Colour colour) {
    switch (colour) {
        case Colour::none: return "";
        case Colour::bold: return "\x1b[1m";
        case Colour::red: return "\x1b[31m";
        case Colour::green: return "\x1b[32m";
        case Colour::yellow: return "\x1b[33m";
        case Colour::cyan: return "\x1b[36m";
    }
    return "";
}

}  // namespace

Colour colour_of(std::string_view state) {
    for (const auto& [word, colour] : kStates) {
        if (word == state) return colour;
    }
    return Colour::none;
}

std::string coloured(const Console& console, Colour colour, std::string_view text) {
    if (!console.is_coloured || colour == Colour::none) return std::string(text);
    return std::string(code_of(colour)) + std::string(text) + "\x1b[0m";
}

}  // namespace millrace::cli
