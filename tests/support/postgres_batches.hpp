#pragma once

#include <gtest/gtest.h>

#include "store/database.hpp"
#include "support/instances.hpp"

namespace millrace {

// What a start of instances first … last writes.
inline Writes starts(std::uint64_t first, std::uint64_t last, const JobType& job_type = kCharge) {
    Writes writes;
    for (std::uint64_t n = first; n <= last; ++n) {
        writes.instances_new.push_back(waiting_instance(n, {.row_id = 1, .id = "order"}));
        writes.jobs_new.push_back(unlocked_job(n));
        writes.jobs_new.back().job_type = job_type;
    }
    return writes;
}

inline Footprint footprint_of(std::uint64_t first, std::uint64_t last) {
    Footprint footprint;
    for (std::uint64_t n = first; n <= last; ++n) {
        footprint.instances.push_back(instance_key(n));
        footprint.jobs.push_back(job_key(n));
    }
    return footprint;
}

// One whole batch without a look at its rows.
inline Status write(BatchStore& store, const Writes& writes) {
    const Result<LoadedRows> rows = store.load({});
    return rows ? store.apply(writes) : Status(rows.error());
}

inline ErrorCode code_of(const Status& status) {
    EXPECT_FALSE(status) << "expected an error";
    return status ? ErrorCode::internal : status.error().code;
}

template <class Value>
ErrorCode code_of(const Result<Value>& result) {
    EXPECT_FALSE(result) << "expected an error";
    return result ? ErrorCode::internal : result.error().code;
}

}  // namespace millrace
