#pragma once

#include <cstddef>

#include "core/definition/definition.hpp"

namespace millrace {

// About how much memory a compiled definition takes: counted up, so that a cache of them holds no
// more than it may.
std::size_t memory_bytes(const Definition& definition);

}  // namespace millrace
