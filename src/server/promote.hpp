#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "store/row_sum.hpp"

namespace millrace {

// How far a promotion is, for whoever waits. `total` 0: it is not known.
struct PromotionProgress {
    std::string what{};
    std::int64_t done = 0;
    std::int64_t total = 0;
};

struct PromotedTable {
    std::string name{};
    RowSum sum{};
};

struct PromotionRequest {
    std::string from{};  // sqlite:PATH
    std::string to{};    // As libpq takes it.
    // Written at once: what is done again when a process dies.
    std::size_t bytes_per_write = 8 << 20;
    std::int64_t rows_per_report = 1'000;
};

// `millrace promote`: copies everything of an embedded store, which no server has and which stays
// as it is, to a PostgreSQL, and compares both when all is there. The same call again goes on where
// an earlier one ended.
//
// invalid_argument: one of them is of another kind; not_found: there is no such file; conflict: a
// server has it, it needs another version of this program, or the target holds something else;
// data_refused: it is damaged, or the copy differs; unavailable: the target does not answer.
Result<std::vector<PromotedTable>> promote(
    const PromotionRequest& request,
    const std::function<void(const PromotionProgress&)>& on_progress);

}  // namespace millrace
