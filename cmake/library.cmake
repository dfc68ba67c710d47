# andon_library(core DEPS reflect Boost::headers): a static library from every .cpp of src/<name>, at any depth.
function(andon_library name)
  cmake_parse_arguments(ARG "" "" "DEPS" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp)
  add_library(andon_${name} STATIC ${sources})
  target_link_libraries(andon_${name} PUBLIC andon_flags ${ARG_DEPS})
endfunction()
