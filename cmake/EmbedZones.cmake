# Called from src/core. Makes expression/zones.txt the constant millrace::expression::kZonesText of the
# header core_zones.hpp. The library millrace_core_zones is linked PRIVATE by that folder.
function(embed_zones)
  set(source "${CMAKE_CURRENT_SOURCE_DIR}/expression/zones.txt")
  set(generated "${CMAKE_CURRENT_BINARY_DIR}/generated")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${source}")
  file(READ "${source}" text)
  file(CONFIGURE OUTPUT "${generated}/core_zones.hpp" @ONLY CONTENT [=[
#pragma once

#include <string_view>

namespace millrace::expression {

inline constexpr std::string_view kZonesText = R"zones(@text@)zones";

}  // namespace millrace::expression
]=])
  add_library(millrace_core_zones INTERFACE)
  target_sources(millrace_core_zones INTERFACE FILE_SET HEADERS
    BASE_DIRS "${generated}" FILES "${generated}/core_zones.hpp")
endfunction()
