#pragma once

#include <vector>

#include "server/doctor.hpp"

namespace millrace {

// Whether this program and the schema of a store fit.
Finding judge_schema(const std::vector<MigrationStatus>& migrations);

}  // namespace millrace
