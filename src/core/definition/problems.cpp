#include "core/definition/problems.hpp"

#include <utility>

#include "base/nearest_word.hpp"
#include "core/limits.hpp"

namespace millrace::definition {

namespace {

// Not in the middle of a character.
std::string_view cut(std::string_view text, std::size_t bytes_max) {
    if (text.size() <= bytes_max) return text;
    while (bytes_max > 0 && (static_cast<unsigned char>(text[bytes_max]) & 0xC0) == 0x80) {
        --bytes_max;
    }
    return text.substr(0, bytes_max);
}

void append_escaped(std::string& out, char c) {
    switch (c) {
        case '"': out += "\\\""; break;
        case '\\': out += "\\\\"; break;
        case '\n': out += "\\n"; break;
        case '\r': out += "\\r"; break;
        case '\t': out += "\\t"; break;
        default: out += static_cast<unsigned char>(c) < 0x20 ? '?' : c;
    }
}

}  // namespace

void Problems::add(std::string path, std::string message) {
    if (++count_ > limits::kDefinitionProblemsMax) return;
    kept_.push_back({std::move(path), std::move(message)});
}

void Problems::add_unknown(std::string path, std::string message) {
    ++unknown_count_;
    add(std::move(path), std::move(message));
}

bool Problems::is_full() const {
    return kept_.size() >= limits::kDefinitionProblemsMax;
}

Error Problems::parse_error() const {
    return error("parse error: parse: ", "; ");
}

Error Problems::validation_error() const {
    return error("validation error: validation errors:\n  ", "\n  ");
}

Error Problems::error(std::string detail, std::string_view separator) const {
    for (const ErrorDetail& problem : kept_) {
        if (&problem != &kept_.front()) detail += separator;
        detail += problem.message;
    }
    if (count_ > kept_.size()) {
        detail += separator;
        detail += "and " + std::to_string(count_ - kept_.size()) + " more";
    }
    return Error{ErrorCode::invalid_argument, std::move(detail), kept_};
}

std::string quoted(std::string_view text) {
    const std::string_view shown = cut(text, limits::kNameBytesMax);
    std::string out = "\"";
    for (const char c : shown) append_escaped(out, c);
    if (shown.size() < text.size()) out += "...";
    out += '"';
    return out;
}

std::string meant_by(std::string_view given, const std::vector<std::string_view>& words) {
    const std::string_view nearest = nearest_word(given, words);
    return nearest.empty() ? std::string() : " (did you mean " + quoted(nearest) + "?)";
}

}  // namespace millrace::definition
