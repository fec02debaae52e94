#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/id.hpp"
#include "base/time.hpp"

struct pg_result;

namespace millrace::postgres {

// What the server answered to one statement, in binary form.
class Rows {
public:
    explicit Rows(pg_result* result) : result_(result) {}

    int size() const;
    // How many rows the statement has written.
    std::int64_t affected() const;

    // Null when the field is null.
    const char* bytes(int row, int column) const;
    std::size_t length(int row, int column) const;

private:
    struct Clear {
        void operator()(pg_result* result) const;
    };
    std::unique_ptr<pg_result, Clear> result_;
};

// Reads the fields of one row from left to right. A null where none is expected, or a field of
// another size, reads as zero or empty and leaves `is_corrupt` behind.
class Fields {
public:
    Fields(const Rows& rows, int row, int column = 0) : rows_(rows), row_(row), column_(column) {}

    Id128 id();
    std::string_view text();
    std::int32_t int32();
    std::int64_t int64();
    Instant instant();
    bool boolean();
    double float64();
    std::array<std::uint8_t, 32> hash();

    std::optional<Id128> optional_id();
    std::optional<std::string_view> optional_text();
    std::optional<Instant> optional_instant();
    std::optional<std::int64_t> optional_int64();
    std::optional<std::int32_t> optional_int32();
    std::optional<double> optional_float64();

    bool is_null() const { return rows_.bytes(row_, column_) == nullptr; }
    bool is_corrupt() const { return is_corrupt_; }

private:
    // The field, of that many bytes, or a row of zeros; goes on to the next.
    const char* take(std::size_t size);
    template <class Value>
    std::optional<Value> optional(Value (Fields::*read)());

    const Rows& rows_;
    int row_;
    int column_;
    bool is_corrupt_ = false;
};

}  // namespace millrace::postgres
