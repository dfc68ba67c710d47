# andon_library(core DEPS reflect Boost::headers): a static library from every .cpp of src/<name>, at any depth.
function(andon_library name)
  cmake_parse_arguments(ARG "" "" "DEPS" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp)
  add_library(andon_${name} STATIC ${sources})
  target_link_libraries(andon_${name} PUBLIC andon_flags ${ARG_DEPS})
endfunction()

# andon_program(main DEPS andon_cli …): the program `andon`, at the top of the build directory, from src/<name>.
function(andon_program name)
  cmake_parse_arguments(ARG "" "" "DEPS" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp)
  add_executable(andon ${sources})
  target_link_libraries(andon PRIVATE andon_flags ${ARG_DEPS})
  set_target_properties(andon PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
  install(TARGETS andon RUNTIME)
endfunction()

# Every build ends with a look at the includes.
add_custom_target(layers ALL COMMAND ${PROJECT_SOURCE_DIR}/tools/check_layers
  COMMENT "Checking that includes point downwards" VERBATIM)
