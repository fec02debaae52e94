# Takes ccache and a fast linker when they are there; without them a build is only slower.
find_program(MILLRACE_CCACHE ccache)
if(MILLRACE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_C_COMPILER_LAUNCHER "${MILLRACE_CCACHE}")
  set(CMAKE_CXX_COMPILER_LAUNCHER "${MILLRACE_CCACHE}")
endif()

find_program(MILLRACE_MOLD mold)
if(MILLRACE_MOLD)
  add_link_options(-fuse-ld=mold)
endif()
