#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/id.hpp"
#include "base/time.hpp"

namespace millrace {

// What a column holds, whatever a database calls it.
enum class CellType { int32, int64, text, bytes, id, instant, real };

// A value on its way from one store to another; bytes travel as text, a real number as the integer
// with the same bits. Empty: null.
using Cell = std::variant<std::monostate, std::int64_t, std::string, Id128, Instant>;
using Cells = std::vector<Cell>;  // A row, or the key of one.

struct CopiedColumn {
    std::string_view name{};
    CellType type = CellType::text;
};

// A table that moves with everything in it. Its first columns name a row: both databases sort them
// alike, so a copy in their order goes on behind the last row that it finds in the target.
struct CopiedTable {
    std::string_view name{};
    std::size_t key_size = 0;
    std::span<const CopiedColumn> columns{};

    std::span<const CopiedColumn> key() const { return columns.first(key_size); }
};

// All tables that move, in the order in which they do: what makes a server act comes last. A column
// or a table that a migration adds belongs here; tests compare the list with both databases.
std::span<const CopiedTable> copied_tables();

// The last numbers that the source has given out. The target goes on behind them.
struct CopiedCounters {
    std::int64_t definition_row_id = 0;
    std::int64_t job_seq = 0;
};

// "a, b, c".
std::string names_of(std::span<const CopiedColumn> columns);

}  // namespace millrace
