#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/id.hpp"
#include "base/time.hpp"

namespace millrace::postgres {

// The values of a statement, $1 first, in PostgreSQL's binary form. A column of rows is an array:
//
//     | dimensions 1 | has nulls | type | count | lower bound 1 |  then for each: | length | bytes
//     |
class Parameters {
public:
    void add(Id128 value);
    void add(std::string_view value);
    void add(std::int32_t value);
    void add(std::int64_t value);
    void add(Instant value);
    void add(double value);
    template <class Value>
    void add(const std::optional<Value>& value) {
        value ? add(*value) : add_null();
    }
    void add_null();

    // One value for each row, or null where the projection gives an empty optional.
    template <class Rows, class Projection>
    void add_column(const Rows& rows, Projection projection) {
        using Value = decltype(projection(*rows.begin()));
        begin_array(type_of(static_cast<const Value*>(nullptr)), rows.size());
        for (const auto& row : rows) append_element(projection(row));
        end_value();
    }

    std::size_t size() const { return values_.size(); }
    // Null pointers are nulls. Valid until the next add.
    std::vector<const char*> pointers() const;
    std::vector<int> lengths() const;

private:
    struct Place {
        std::size_t begin = 0;
        std::size_t end = 0;
        bool is_null = false;
    };

    // As the server numbers its types.
    static constexpr std::uint32_t type_of(const Id128*) { return 2950; }
    static constexpr std::uint32_t type_of(const std::string_view*) { return 25; }
    static constexpr std::uint32_t type_of(const std::string*) { return 25; }
    static constexpr std::uint32_t type_of(const std::int32_t*) { return 23; }
    static constexpr std::uint32_t type_of(const std::int64_t*) { return 20; }
    static constexpr std::uint32_t type_of(const Instant*) { return 1184; }
    static constexpr std::uint32_t type_of(const double*) { return 701; }
    static constexpr std::uint32_t type_of(const std::array<std::uint8_t, 32>*) { return 17; }
    template <class Value>
    static constexpr std::uint32_t type_of(const std::optional<Value>*) {
        return type_of(static_cast<const Value*>(nullptr));
    }

    void begin_array(std::uint32_t type, std::size_t count);
    void end_value();

    void append_element(Id128 value);
    void append_element(std::string_view value);
    void append_element(std::int32_t value);
    void append_element(std::int64_t value);
    void append_element(Instant value);
    void append_element(double value);
    void append_element(const std::array<std::uint8_t, 32>& value);
    template <class Value>
    void append_element(const std::optional<Value>& value) {
        value ? append_element(*value) : append_null();
    }
    void append_null();

    std::string buffer_;
    std::size_t value_begin_ = 0;
    std::vector<Place> values_;
};

}  // namespace millrace::postgres
