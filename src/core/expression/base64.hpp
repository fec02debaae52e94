#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace millrace::expression {

// The standard alphabet, with padding.
std::string to_base64(std::string_view bytes);

// Nothing when the text is none.
std::optional<std::string> from_base64(std::string_view text);

}  // namespace millrace::expression
