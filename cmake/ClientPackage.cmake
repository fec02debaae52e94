# The client library as a package of its own, for programs that do not build the server:
#
#     cmake --install build/release --component client --prefix PREFIX
#
# One archive and headers that stand alone. What the client shares with the server comes along: the
# objects of base, and its headers for JSON and results under millrace/.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

# millrace_package_headers(FOLDER FILE...): writes these headers of src/base into FOLDER/millrace, as
# they include each other there.
function(millrace_package_headers folder)
  foreach(header IN LISTS ARGN)
    set(source "${PROJECT_SOURCE_DIR}/src/base/${header}")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${source}")
    file(READ "${source}" text)
    string(REPLACE "#include \"base/" "#include \"millrace/" text "${text}")
    file(CONFIGURE OUTPUT "${folder}/millrace/${header}" CONTENT "${text}" @ONLY)
  endforeach()
endfunction()

# millrace_client_package(SHARED_HEADERS file...)
function(millrace_client_package)
  cmake_parse_arguments(arg "" "" "SHARED_HEADERS" ${ARGN})
  set(made "${CMAKE_CURRENT_BINARY_DIR}/package")
  set(config "${CMAKE_INSTALL_LIBDIR}/cmake/millrace")
  set(pkgconfig "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
  millrace_package_headers("${made}/include" ${arg_SHARED_HEADERS})

  add_library(client_package STATIC
    $<TARGET_OBJECTS:millrace_client> $<TARGET_OBJECTS:millrace_base>)
  set_target_properties(client_package PROPERTIES
    OUTPUT_NAME millrace_client EXPORT_NAME client LINKER_LANGUAGE CXX
    ARCHIVE_OUTPUT_DIRECTORY "${made}/lib")
  target_compile_features(client_package PUBLIC cxx_std_20)
  target_link_libraries(client_package
    PUBLIC OpenSSL::SSL simdjson::simdjson Threads::Threads)

  install(TARGETS client_package EXPORT millrace-targets
    ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT client
    INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
  install(DIRECTORY include/ "${made}/include/"
    DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" COMPONENT client FILES_MATCHING PATTERN "*.hpp")
  install(EXPORT millrace-targets NAMESPACE millrace::
    DESTINATION "${config}" COMPONENT client)

  configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/millrace-config.cmake.in"
    "${made}/millrace-config.cmake" INSTALL_DESTINATION "${config}")
  write_basic_package_version_file("${made}/millrace-config-version.cmake"
    COMPATIBILITY SameMinorVersion)
  install(FILES "${made}/millrace-config.cmake" "${made}/millrace-config-version.cmake"
    DESTINATION "${config}" COMPONENT client)

  file(RELATIVE_PATH to_prefix "/${pkgconfig}" "/")
  configure_file("${PROJECT_SOURCE_DIR}/cmake/millrace-client.pc.in"
    "${made}/millrace-client.pc" @ONLY)
  install(FILES "${made}/millrace-client.pc" DESTINATION "${pkgconfig}" COMPONENT client)
endfunction()
