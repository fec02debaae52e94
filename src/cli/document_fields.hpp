#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/json/value.hpp"

namespace millrace::cli {

// Members of a document that this program made itself; empty or 0 where there is none.
std::string text_of(const json::Value& document, std::string_view key);
std::int64_t integer_of(const json::Value& document, std::string_view key);
json::Array items_of(const json::Value& document, std::string_view key);

}  // namespace millrace::cli
