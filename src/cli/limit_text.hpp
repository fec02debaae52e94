#pragma once

#include <string>
#include <string_view>

#include "cli/readable_json.hpp"
#include "millrace/client/documents.hpp"

namespace millrace::cli {

// One of the limits of a workspace for people; what is absent is none.
inline std::string limit_text(const client::Document& limits, std::string_view name) {
    const json::Value& limit = limits.value(name);
    return limit.is_null() ? "none" : readable(limit);
}

}  // namespace millrace::cli
