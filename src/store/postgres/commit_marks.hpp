#pragma once

#include <vector>

#include "base/id.hpp"
#include "store/postgres/connection.hpp"

namespace millrace::postgres {

struct CommitMark {
    Id128 committer_id{};
    std::int64_t number = 0;  // From 1. The negative one says that this batch was given up.
};

// Numbers the batches of one committer, and clears away the marks that nobody will ask for.
//
// A committer's id begins with the time of its making and lives for a day, so that marks left by
// committers that are no more are known by their ids.
class CommitMarks {
public:
    // The mark of the next batch. `random` is fresh for each.
    CommitMark next(Instant now, Id128 random);

    // What the batch with this mark clears away; mostly nothing.
    void append_sweep(std::vector<Call>& calls, const CommitMark& mark) const;

private:
    CommitMark last_;
    Instant made_at_{};
};

Parameters parameters_of(const CommitMark& mark);

}  // namespace millrace::postgres
