#include "store/postgres/parameters.hpp"

#include <bit>

#include "store/postgres/binary.hpp"

namespace millrace::postgres {

namespace {

constexpr std::uint32_t kNullLength = 0xFFFF'FFFF;

void append_bytes(std::string& out, Id128 value) {
    append_big_endian(out, value.high);
    append_big_endian(out, value.low);
}

}  // namespace

void Parameters::add(Id128 value) {
    append_bytes(buffer_, value);
    end_value();
}

void Parameters::add(std::string_view value) {
    buffer_.append(value);
    end_value();
}

void Parameters::add(std::int32_t value) {
    append_big_endian(buffer_, static_cast<std::uint32_t>(value));
    end_value();
}

void Parameters::add(std::int64_t value) {
    append_big_endian(buffer_, static_cast<std::uint64_t>(value));
    end_value();
}

void Parameters::add(Instant value) {
    add(to_timestamptz(value));
}

void Parameters::add(double value) {
    add(std::bit_cast<std::int64_t>(value));
}

void Parameters::add_null() {
    values_.push_back({.begin = value_begin_, .end = value_begin_, .is_null = true});
}

std::vector<const char*> Parameters::pointers() const {
    std::vector<const char*> pointers;
    pointers.reserve(values_.size());
    for (const Place& place : values_) {
        pointers.push_back(place.is_null ? nullptr : buffer_.data() + place.begin);
    }
    return pointers;
}

std::vector<int> Parameters::lengths() const {
    std::vector<int> lengths;
    lengths.reserve(values_.size());
    for (const Place& place : values_) lengths.push_back(static_cast<int>(place.end - place.begin));
    return lengths;
}

void Parameters::begin_array(std::uint32_t type, std::size_t count) {
    append_big_endian(buffer_, std::uint32_t{1});
    append_big_endian(buffer_, std::uint32_t{1});
    append_big_endian(buffer_, type);
    append_big_endian(buffer_, static_cast<std::uint32_t>(count));
    append_big_endian(buffer_, std::uint32_t{1});
}

void Parameters::end_value() {
    values_.push_back({.begin = value_begin_, .end = buffer_.size()});
    value_begin_ = buffer_.size();
}

void Parameters::append_element(Id128 value) {
    append_big_endian(buffer_, std::uint32_t{16});
    append_bytes(buffer_, value);
}

void Parameters::append_element(std::string_view value) {
    append_big_endian(buffer_, static_cast<std::uint32_t>(value.size()));
    buffer_.append(value);
}

void Parameters::append_element(std::int32_t value) {
    append_big_endian(buffer_, std::uint32_t{4});
    append_big_endian(buffer_, static_cast<std::uint32_t>(value));
}

void Parameters::append_element(std::int64_t value) {
    append_big_endian(buffer_, std::uint32_t{8});
    append_big_endian(buffer_, static_cast<std::uint64_t>(value));
}

void Parameters::append_element(Instant value) {
    append_element(to_timestamptz(value));
}

void Parameters::append_element(const std::array<std::uint8_t, 32>& value) {
    append_big_endian(buffer_, static_cast<std::uint32_t>(value.size()));
    buffer_.append(value.begin(), value.end());
}

void Parameters::append_element(double value) {
    append_element(std::bit_cast<std::int64_t>(value));
}

void Parameters::append_null() {
    append_big_endian(buffer_, kNullLength);
}

}  // namespace millrace::postgres
