#pragma once

#include <span>
#include <string>
#include <vector>

#include "store/migrations.hpp"

namespace millrace::postgres {

// The names of the indexes that the texts of these migrations create and do not drop, sorted;
// without those of primary keys, which go with their tables only.
std::vector<std::string> expected_indexes(std::span<const KnownMigration> migrations);

}  // namespace millrace::postgres
