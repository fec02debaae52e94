#pragma once

#include "simulator/invariants.hpp"
#include "store/reader.hpp"

namespace millrace::sim {

// Whether the store has the rows that were committed, and no others. A reader that cannot answer is
// a finding too: nothing is wrong with the store when this is asked.
void compare_with_store(const Ledger& ledger, Reader& reader, Findings& findings);

// When everything has come to rest: whether anything is left that should have happened by then.
void check_at_rest(const Ledger& ledger, Reader& reader, Instant now, const Plans& plans,
                   Findings& findings);

}  // namespace millrace::sim
