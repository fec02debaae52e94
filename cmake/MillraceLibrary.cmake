# One folder of src/ is one library, declared in that folder's CMakeLists.txt. DEPENDS is the whole
# list of folders it may use, so the graph of these calls is the architecture; tools/tidy.py holds
# the includes to the same table. SYSTEM are foreign libraries. TESTS lie beside the code, may use
# any folder (TEST_DEPENDS) and are labelled unit.
function(millrace_library folder)
  cmake_parse_arguments(arg "" "" "SOURCES;HEADERS;DEPENDS;SYSTEM;TESTS;TEST_DEPENDS" ${ARGN})
  string(REPLACE "/" "_" name "${folder}")
  list(TRANSFORM arg_DEPENDS PREPEND millrace_)

  add_library(millrace_${name} STATIC ${arg_SOURCES})
  millrace_unity(millrace_${name})
  target_sources(millrace_${name} PUBLIC FILE_SET HEADERS
    BASE_DIRS "${PROJECT_SOURCE_DIR}/src" FILES ${arg_HEADERS})
  target_link_libraries(millrace_${name}
    PUBLIC ${arg_DEPENDS} PRIVATE millrace_warnings ${arg_SYSTEM})

  if(arg_TESTS)
    millrace_test(${name} LABEL unit SOURCES ${arg_TESTS} DEPENDS ${name} ${arg_TEST_DEPENDS})
  endif()
endfunction()

# A test program; its cases are called LABEL/name/Suite.Case in ctest.
function(millrace_test name)
  cmake_parse_arguments(arg "" "LABEL" "SOURCES;DEPENDS;SYSTEM" ${ARGN})
  list(TRANSFORM arg_DEPENDS PREPEND millrace_)
  millrace_unity_tests(${name} sources ${arg_SOURCES})
  add_executable(${name}_test ${sources})
  target_include_directories(${name}_test PRIVATE
    "${PROJECT_SOURCE_DIR}/tests" "${CMAKE_CURRENT_SOURCE_DIR}")
  target_link_libraries(${name}_test
    PRIVATE ${arg_DEPENDS} millrace_warnings ${arg_SYSTEM} GTest::gtest_main rapidcheck_gtest)
  # Of the tests' own code; the libraries under test keep what their preset says.
  target_compile_options(${name}_test PRIVATE $<IF:$<CONFIG:Release>,-O1,-O0>)
  gtest_discover_tests(${name}_test NO_PRETTY_VALUES DISCOVERY_TIMEOUT 60
    TEST_PREFIX "${arg_LABEL}/${name}/" PROPERTIES LABELS "${arg_LABEL}")
endfunction()
