#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "store/copied_tables.hpp"

namespace millrace::postgres {

// Rows in the binary form of COPY, numbers with their high byte first:
//
//     | "PGCOPY\n\377\r\n\0" | flags 32 | extension length 32 |
//     then for each row:  | columns 16 |  then for each column:  | length 32, or -1: null | bytes |
//     | -1 16 |
void append_copy_header(std::string& out);
void append_copy_row(std::string& out, std::span<const CopiedColumn> columns, const Cells& row);
void append_copy_trailer(std::string& out);

// Takes rows out of the pieces of a COPY that the server sends: each holds whole rows.
class CopyReader {
public:
    explicit CopyReader(std::span<const CopiedColumn> columns) : columns_(columns) {}

    // The piece must live until next() has told that there is no further row in it.
    void add(std::string_view piece);

    // Reads on. False: no further row in this piece. internal: the bytes make no sense.
    Result<bool> next(Cells& row);

private:
    bool read_cell(CellType type, Cell& cell);
    bool take(std::size_t size, std::string_view& bytes);

    std::span<const CopiedColumn> columns_;
    std::string_view rest_;
    bool is_begun_ = false;
};

}  // namespace millrace::postgres
