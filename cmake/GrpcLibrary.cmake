include(ProtoLibrary)

# millrace_grpc_library(NAME FOLDER folder PROTOS file...): the library millrace_NAME with the code
# that protoc makes of these files, named relative to the folder. Its headers are included under
# their names there: <temporal/workflow_service.pb.h>. It is foreign code: compiled without our
# warnings, shown as a system header.
function(millrace_grpc_library name)
  cmake_parse_arguments(arg "" "FOLDER" "PROTOS" ${ARGN})
  set(generated "${CMAKE_CURRENT_BINARY_DIR}/generated")
  file(MAKE_DIRECTORY "${generated}")
  set(sources "")
  set(headers "")
  foreach(proto IN LISTS arg_PROTOS)
    string(REGEX REPLACE "\\.proto$" "" stem "${generated}/${proto}")
    add_custom_command(
      OUTPUT "${stem}.pb.cc" "${stem}.pb.h" "${stem}.grpc.pb.cc" "${stem}.grpc.pb.h"
      COMMAND protobuf::protoc "--proto_path=${arg_FOLDER}" "--cpp_out=${generated}"
              "--grpc_out=${generated}"
              "--plugin=protoc-gen-grpc=$<TARGET_FILE:gRPC::grpc_cpp_plugin>" "${proto}"
      DEPENDS "${arg_FOLDER}/${proto}"
      VERBATIM)
    list(APPEND sources "${stem}.pb.cc" "${stem}.grpc.pb.cc")
    list(APPEND headers "${stem}.pb.h" "${stem}.grpc.pb.h")
  endforeach()
  millrace_generated(${name} ${headers})
  add_library(millrace_${name} STATIC ${sources})
  target_compile_options(millrace_${name} PRIVATE -w)
  target_include_directories(millrace_${name} SYSTEM PUBLIC "${generated}")
  target_link_libraries(millrace_${name} PUBLIC gRPC::grpc++ protobuf::libprotobuf)
endfunction()
