#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace millrace::runtime {

// The SHA-256 of the bytes (FIPS 180-4).
std::array<std::uint8_t, 32> sha256(std::string_view bytes);

}  // namespace millrace::runtime
