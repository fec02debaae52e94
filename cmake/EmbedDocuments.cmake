# Called from src/api/rest. Makes openapi/*.json and definition.schema.json the constants of the header
# api_rest_documents.hpp. The library millrace_api_rest_documents is linked PRIVATE by that folder.
function(embed_documents)
  set(maker "${PROJECT_SOURCE_DIR}/cmake/wire_documents.py")
  set(generated "${CMAKE_CURRENT_BINARY_DIR}/generated")
  set(header "${generated}/api_rest_documents.hpp")
  file(GLOB documents CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/openapi/*.json")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
    ${documents} "${CMAKE_CURRENT_SOURCE_DIR}/definition.schema.json" "${maker}")
  execute_process(
    COMMAND "${Python3_EXECUTABLE}" -B "${maker}" "${CMAKE_CURRENT_SOURCE_DIR}" "${header}"
    COMMAND_ERROR_IS_FATAL ANY)
  add_library(millrace_api_rest_documents INTERFACE)
  target_sources(millrace_api_rest_documents
    INTERFACE FILE_SET HEADERS BASE_DIRS "${generated}" FILES "${header}")
endfunction()
