#include "store/postgres/rows.hpp"

#include <libpq-fe.h>

#include <algorithm>
#include <bit>
#include <charconv>

#include "store/postgres/binary.hpp"

namespace millrace::postgres {

namespace {

constexpr char kZeros[32] = {};

}  // namespace

void Rows::Clear::operator()(pg_result* result) const {
    PQclear(result);
}

int Rows::size() const {
    return PQntuples(result_.get());
}

std::int64_t Rows::affected() const {
    const std::string_view text = PQcmdTuples(result_.get());
    std::int64_t count = 0;
    std::from_chars(text.data(), text.data() + text.size(), count);
    return count;
}

const char* Rows::bytes(int row, int column) const {
    if (PQgetisnull(result_.get(), row, column) != 0) return nullptr;
    return PQgetvalue(result_.get(), row, column);
}

std::size_t Rows::length(int row, int column) const {
    return static_cast<std::size_t>(PQgetlength(result_.get(), row, column));
}

Id128 Fields::id() {
    const char* bytes = take(16);
    return {read_big_endian<std::uint64_t>(bytes), read_big_endian<std::uint64_t>(bytes + 8)};
}

std::string_view Fields::text() {
    const char* bytes = rows_.bytes(row_, column_);
    if (bytes == nullptr) is_corrupt_ = true;
    const std::string_view text = bytes == nullptr
                                      ? std::string_view{}
                                      : std::string_view(bytes, rows_.length(row_, column_));
    ++column_;
    return text;
}

std::int32_t Fields::int32() {
    return static_cast<std::int32_t>(read_big_endian<std::uint32_t>(take(4)));
}

std::int64_t Fields::int64() {
    return static_cast<std::int64_t>(read_big_endian<std::uint64_t>(take(8)));
}

Instant Fields::instant() {
    return from_timestamptz(int64());
}

double Fields::float64() {
    return std::bit_cast<double>(int64());
}

bool Fields::boolean() {
    return *take(1) != 0;
}

std::array<std::uint8_t, 32> Fields::hash() {
    std::array<std::uint8_t, 32> hash{};
    std::copy_n(take(hash.size()), hash.size(), hash.begin());
    return hash;
}

std::optional<Id128> Fields::optional_id() {
    return optional(&Fields::id);
}

std::optional<std::string_view> Fields::optional_text() {
    return optional(&Fields::text);
}

std::optional<Instant> Fields::optional_instant() {
    return optional(&Fields::instant);
}

std::optional<std::int64_t> Fields::optional_int64() {
    return optional(&Fields::int64);
}

std::optional<std::int32_t> Fields::optional_int32() {
    return optional(&Fields::int32);
}

std::optional<double> Fields::optional_float64() {
    return optional(&Fields::float64);
}

const char* Fields::take(std::size_t size) {
    const char* bytes = rows_.bytes(row_, column_);
    const bool is_good = bytes != nullptr && rows_.length(row_, column_) == size;
    is_corrupt_ = is_corrupt_ || !is_good;
    ++column_;
    return is_good ? bytes : kZeros;
}

template <class Value>
std::optional<Value> Fields::optional(Value (Fields::*read)()) {
    if (is_null()) {
        ++column_;
        return std::nullopt;
    }
    return (this->*read)();
}

}  // namespace millrace::postgres
