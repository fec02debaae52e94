#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/id.hpp"
#include "base/time.hpp"

namespace millrace::rest {

// Members of an object under way, written straight behind what `out` holds.

// `,"name":`
void append_key(std::string& out, std::string_view name);

void append_text(std::string& out, std::string_view name, std::string_view text);
void append_integer(std::string& out, std::string_view name, std::int64_t number);
void append_instant(std::string& out, std::string_view name, Instant at);
void append_id(std::string& out, std::string_view name, Id128 id);
void append_number(std::string& out, std::string_view name, double number);
void append_flag(std::string& out, std::string_view name, bool is);

// Left out when there is none, or the text is empty.
void append_unless_empty(std::string& out, std::string_view name, std::string_view text);
void append_if_set(std::string& out, std::string_view name, const std::optional<Instant>& at);
void append_if_set(std::string& out, std::string_view name,
                   const std::optional<std::int32_t>& number);
void append_if_set(std::string& out, std::string_view name, const std::optional<double>& number);

}  // namespace millrace::rest
