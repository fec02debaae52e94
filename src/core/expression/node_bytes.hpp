#pragma once

#include <cstddef>

#include "core/expression/node.hpp"

namespace millrace::expression {

// About how much memory a parsed expression takes, the node itself included; rather too much.
std::size_t memory_bytes(const Node& node);

}  // namespace millrace::expression
