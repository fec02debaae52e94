#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "store/copied_tables.hpp"

namespace millrace {

// A checksum of bytes: it is to notice a mistake, not an attack. The same bytes in other pieces
// have another one.
class Checksum {
public:
    void add(std::uint64_t word);
    void add(std::string_view bytes);
    std::uint64_t value() const;

private:
    std::uint64_t hash_ = 0xCBF2'9CE4'8422'2325;
};

// 16 digits of base 16.
std::string checksum_text(std::uint64_t checksum);

// How many rows there are and what is in them, in whatever order they come.
struct RowSum {
    std::int64_t rows = 0;
    std::uint64_t checksum = 0;

    void add(const Cells& row);

    friend bool operator==(const RowSum&, const RowSum&) = default;
};

}  // namespace millrace
