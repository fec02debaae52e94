#pragma once

#include <cstdint>

#include "store/effects.hpp"
#include "store/working_set.hpp"

namespace millrace {

// How much a transaction has to carry. Bytes are those that can be many: variables, contents,
// messages; a row counts for some more.
struct RowsSize {
    std::int64_t rows = 0;
    std::int64_t bytes = 0;

    RowsSize& operator+=(const RowsSize& other) {
        rows += other.rows;
        bytes += other.bytes;
        return *this;
    }
};

RowsSize size_of(const Effects& effects);
RowsSize size_of(const LoadedRows& loaded);

}  // namespace millrace
