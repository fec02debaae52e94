#pragma once

#include <cstddef>
#include <limits>
#include <string_view>

namespace millrace::rpc {

inline constexpr std::size_t kCannotBeSent = std::numeric_limits<std::size_t>::max();

// What a Struct of this JSON text takes on the wire; kCannotBeSent when the text is no JSON object,
// or nested beyond limits::kStructDepthMax. One pass over the text that keeps nothing: it runs on
// threads that serve everybody, for variables of any tenant. Numbers, UTF-8 and keys that stand
// twice are not checked: that was done when the variables came in.
std::size_t struct_bytes(std::string_view text);

}  // namespace millrace::rpc
