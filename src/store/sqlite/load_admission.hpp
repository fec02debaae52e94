#pragma once

#include <map>

#include "store/admission_rows.hpp"
#include "store/sqlite/connection.hpp"

namespace millrace::sqlite {

// Where a statement that reads instances says whether the definition is there still.
inline constexpr int kDefinitionExists = 16;

using DefinitionsInUse = std::map<std::int64_t, DefinitionRef>;  // By row id.

// What an admission sees, in the transaction of the connection, which is its lock: lines that are
// woken and parked executions that are called are written there. Adds the definitions that are
// there of all that it may let in, and a sentence about each row that cannot be read.
Result<AdmissionRows> load_admission(Connection& connection, const AdmissionRequest& request,
                                     DefinitionsInUse& in_use, std::vector<std::string>& reasons);

}  // namespace millrace::sqlite
