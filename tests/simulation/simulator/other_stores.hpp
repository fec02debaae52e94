#pragma once

#include <optional>
#include <string_view>

#include "simulator/stores.hpp"

namespace millrace::sim {

// memory, sqlite, postgres; the last one on the server that tools/with_postgres.py has started.
// Empty: there is no such kind.
std::optional<StoreKind> store_kind(std::string_view name);

}  // namespace millrace::sim
