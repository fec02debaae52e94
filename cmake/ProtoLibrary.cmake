# All headers that protoc makes, without compiling anything: for those who only look at our files.
function(millrace_generated name)
  if(NOT TARGET generated_headers)
    add_custom_target(generated_headers)
  endif()
  add_custom_target(${name}_headers DEPENDS ${ARGN})
  add_dependencies(generated_headers ${name}_headers)
endfunction()

# millrace_proto_library(NAME FOLDER folder PROTOS file...): the library millrace_NAME with the
# messages that protoc makes of these files, named relative to the folder; no gRPC plugin. Headers
# are included under their names there: <millrace/v1/instances.pb.h>. It is foreign code: compiled
# without our warnings, shown as a system header. A file may import any other of the call, and the
# files of protobuf itself.
function(millrace_proto_library name)
  cmake_parse_arguments(arg "" "FOLDER" "PROTOS" ${ARGN})
  set(generated "${CMAKE_CURRENT_BINARY_DIR}/generated")
  file(MAKE_DIRECTORY "${generated}")
  list(TRANSFORM arg_PROTOS PREPEND "${arg_FOLDER}/" OUTPUT_VARIABLE files)
  set(sources "")
  set(headers "")
  foreach(proto IN LISTS arg_PROTOS)
    string(REGEX REPLACE "\\.proto$" "" stem "${generated}/${proto}")
    list(APPEND sources "${stem}.pb.cc")
    list(APPEND headers "${stem}.pb.h")
  endforeach()
  # One call for all of them: each imports others, and a change of one may change the code of all.
  add_custom_command(
    OUTPUT ${sources} ${headers}
    COMMAND protobuf::protoc "--proto_path=${arg_FOLDER}" "--cpp_out=${generated}" ${arg_PROTOS}
    DEPENDS ${files}
    VERBATIM)
  millrace_generated(${name} ${headers})
  add_library(millrace_${name} STATIC ${sources})
  # Reading and writing is done by protobuf itself; -O3 costs a third more time to compile.
  target_compile_options(millrace_${name} PRIVATE -w $<$<CONFIG:Release>:-O1>)
  target_include_directories(millrace_${name} SYSTEM PUBLIC "${generated}")
  target_link_libraries(millrace_${name} PUBLIC protobuf::libprotobuf)
endfunction()
