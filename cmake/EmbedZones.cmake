# Called from src/core. Makes the lines of expression/zones.txt but the first, which says what it is, the
# constants millrace::expression::kZoneLines of the header core_zones.hpp. The library
# millrace_core_zones is linked PRIVATE by that folder.
function(embed_zones)
  set(source "${CMAKE_CURRENT_SOURCE_DIR}/expression/zones.txt")
  set(generated "${CMAKE_CURRENT_BINARY_DIR}/generated")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${source}")
  file(READ "${source}" text)
  string(REGEX REPLACE "^#[^\n]*\n" "" text "${text}")
  # One literal for each: a long one is more than compilers must take.
  string(REGEX REPLACE "([^\n]+)\n" "    \"\\1\",\n" lines "${text}")
  file(CONFIGURE OUTPUT "${generated}/core_zones.hpp" @ONLY CONTENT [=[
#pragma once

#include <array>
#include <string_view>

namespace millrace::expression {

inline constexpr auto kZoneLines = std::to_array<std::string_view>({
@lines@});

}  // namespace millrace::expression
]=])
  add_library(millrace_core_zones INTERFACE)
  target_sources(millrace_core_zones INTERFACE FILE_SET HEADERS
    BASE_DIRS "${generated}" FILES "${generated}/core_zones.hpp")
endfunction()
