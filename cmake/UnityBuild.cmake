# Compiles several files as one unit, so that headers which they share are read once: docs/building.md
# has what that saves. The presets for a debugger, clang-tidy and fuzzers compile each file alone.
option(MILLRACE_UNITY "Compile several files as one unit" OFF)
set(MILLRACE_UNITY_FILES 24 CACHE STRING "Files of the program in one unit")
set(MILLRACE_UNITY_TEST_FILES 12 CACHE STRING "Files of tests in one unit")

# For a library or program. Helpers in unnamed namespaces have names of their own in each library.
function(millrace_unity target)
  set_target_properties(${target} PROPERTIES
    UNITY_BUILD ${MILLRACE_UNITY} UNITY_BUILD_BATCH_SIZE ${MILLRACE_UNITY_FILES})
  if(MILLRACE_UNITY) # gcc takes a file that is included for a header.
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  endif()
endfunction()

# millrace_unity_tests(NAME OUT FILE...): sets OUT to what is to be compiled instead of these files.
function(millrace_unity_tests name out)
  if(NOT MILLRACE_UNITY)
    set(${out} ${ARGN} PARENT_SCOPE)
    return()
  endif()
  set(maker "${PROJECT_SOURCE_DIR}/cmake/unity_unit.py")
  set(units ${ARGN}) # Files without tests stay as they are.
  list(FILTER units EXCLUDE REGEX "_test\\.cpp$")
  set(files ${ARGN})
  list(FILTER files INCLUDE REGEX "_test\\.cpp$")
  list(TRANSFORM files PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/")
  while(files)
    list(SUBLIST files 0 ${MILLRACE_UNITY_TEST_FILES} part)
    list(REMOVE_ITEM files ${part})
    list(LENGTH units number)
    set(unit "${CMAKE_CURRENT_BINARY_DIR}/${name}_unit_${number}.cpp")
    add_custom_command(OUTPUT "${unit}"
      COMMAND Python3::Interpreter -B "${maker}" "${unit}" ${part}
      DEPENDS "${maker}" ${part} VERBATIM)
    list(APPEND units "${unit}")
  endwhile()
  set(${out} ${units} PARENT_SCOPE)
endfunction()
