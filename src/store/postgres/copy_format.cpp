#include "store/postgres/copy_format.hpp"

#include "base/check.hpp"
#include "store/postgres/binary.hpp"

namespace millrace::postgres {

namespace {

constexpr std::string_view kSignature("PGCOPY\n\xFF\r\n\0", 11);
constexpr std::size_t kHeaderSize = kSignature.size() + 8;
constexpr std::uint32_t kNull = 0xFFFF'FFFF;
constexpr std::uint16_t kEnd = 0xFFFF;

template <class Number>
void append_number(std::string& out, Number number) {
    append_big_endian(out, static_cast<std::uint32_t>(sizeof(Number)));
    append_big_endian(out, number);
}

void append_integer(std::string& out, CellType type, std::int64_t value) {
    if (type == CellType::int32) {
        append_number(out, static_cast<std::uint32_t>(value));
    } else {
        append_number(out, static_cast<std::uint64_t>(value));
    }
}

struct AppendCell {
    std::string& out;
    CellType type;

    void operator()(std::monostate) const { append_big_endian(out, kNull); }
    void operator()(std::int64_t value) const { append_integer(out, type, value); }
    void operator()(const std::string& value) const {
        append_big_endian(out, static_cast<std::uint32_t>(value.size()));
        out += value;
    }
    void operator()(const Id128& value) const {
        append_big_endian(out, std::uint32_t{16});
        append_big_endian(out, value.high);
        append_big_endian(out, value.low);
    }
    void operator()(Instant value) const {
        append_number(out, static_cast<std::uint64_t>(to_timestamptz(value)));
    }
};

Error corrupt() {
    return {ErrorCode::internal, "The database has sent a row that makes no sense."};
}

// How many bytes a value has; 0: any number.
std::size_t size_of(CellType type) {
    switch (type) {
        case CellType::int32: return 4;
        case CellType::int64:
        case CellType::real:
        case CellType::instant: return 8;
        case CellType::id: return 16;
        case CellType::text:
        case CellType::bytes: return 0;
    }
    MILLRACE_CHECK(false);
}

Cell cell_from(CellType type, std::string_view bytes) {
    const char* at = bytes.data();
    switch (type) {
        case CellType::int32:
            return std::int64_t{static_cast<std::int32_t>(read_big_endian<std::uint32_t>(at))};
        case CellType::real:
        case CellType::int64: return static_cast<std::int64_t>(read_big_endian<std::uint64_t>(at));
        case CellType::instant:
            return from_timestamptz(static_cast<std::int64_t>(read_big_endian<std::uint64_t>(at)));
        case CellType::id:
            return Id128{read_big_endian<std::uint64_t>(at),
                         read_big_endian<std::uint64_t>(at + 8)};
        case CellType::text:
        case CellType::bytes: return std::string(bytes);
    }
    MILLRACE_CHECK(false);
}

}  // namespace

void append_copy_header(std::string& out) {
    out += kSignature;
    out.append(8, '\0');
}

void append_copy_row(std::string& out, std::span<const CopiedColumn> columns, const Cells& row) {
    MILLRACE_CHECK(row.size() == columns.size());
    append_big_endian(out, static_cast<std::uint16_t>(row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) {
        std::visit(AppendCell{out, columns[i].type}, row[i]);
    }
}

void append_copy_trailer(std::string& out) {
    append_big_endian(out, kEnd);
}

void CopyReader::add(std::string_view piece) {
    rest_ = piece;
    if (is_begun_) return;
    // The server sends the header in one piece with what follows it.
    is_begun_ = true;
    rest_.remove_prefix(std::min(kHeaderSize, rest_.size()));
}

Result<bool> CopyReader::next(Cells& row) {
    if (rest_.empty()) return false;
    std::string_view bytes;
    if (!take(2, bytes)) return corrupt();
    const auto count = read_big_endian<std::uint16_t>(bytes.data());
    if (count == kEnd) {
        rest_ = {};
        return false;
    }
    if (count != columns_.size()) return corrupt();
    row.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
        if (!read_cell(columns_[i].type, row[i])) return corrupt();
    }
    return true;
}

bool CopyReader::read_cell(CellType type, Cell& cell) {
    std::string_view bytes;
    if (!take(4, bytes)) return false;
    const auto size = read_big_endian<std::uint32_t>(bytes.data());
    if (size == kNull) {
        cell = std::monostate{};
        return true;
    }
    const std::size_t expected = size_of(type);
    if ((expected != 0 && size != expected) || !take(size, bytes)) return false;
    cell = cell_from(type, bytes);
    return true;
}

bool CopyReader::take(std::size_t size, std::string_view& bytes) {
    if (rest_.size() < size) return false;
    bytes = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return true;
}

}  // namespace millrace::postgres
