option(ANDON_PRECOMPILE "Parse the headers that most files include once for each target" ON)

# andon_precompile(TARGET [HEADER…]): headers that most files of the target include. Only what every file may include
# belongs here: a build without them (ANDON_PRECOMPILE=OFF, as the preset gcc is) shows an include that is missing.
function(andon_precompile target)
  if(NOT ANDON_PRECOMPILE OR NOT ARGN)
    return()
  endif()
  target_precompile_headers(${target} PRIVATE ${ARGN})
  # So that ccache can keep what is compiled with them.
  target_compile_options(${target} PRIVATE
    $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fpch-preprocess> $<$<COMPILE_LANG_AND_ID:CXX,Clang>:SHELL:-Xclang -fno-pch-timestamp>)
endfunction()

# andon_library(core DEPS reflect Boost::headers [PRECOMPILE <vector>]): a static library from every .cpp of src/<name>, at
# any depth. The tests of a library precompile the same headers.
function(andon_library name)
  cmake_parse_arguments(ARG "" "" "DEPS;PRECOMPILE" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp)
  add_library(andon_${name} STATIC ${sources})
  target_link_libraries(andon_${name} PUBLIC andon_flags ${ARG_DEPS})
  andon_precompile(andon_${name} ${ARG_PRECOMPILE})
  set_target_properties(andon_${name} PROPERTIES ANDON_PRECOMPILED "${ARG_PRECOMPILE}")
endfunction()

# andon_program(main DEPS andon_cli …): the program `andon`, at the top of the build directory, from src/<name>.
function(andon_program name)
  cmake_parse_arguments(ARG "" "" "DEPS;PRECOMPILE" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp)
  add_executable(andon ${sources})
  target_link_libraries(andon PRIVATE andon_flags ${ARG_DEPS})
  andon_precompile(andon ${ARG_PRECOMPILE})
  set_target_properties(andon PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
  install(TARGETS andon RUNTIME)
endfunction()

# Every build ends with a look at the includes.
add_custom_target(layers ALL COMMAND ${PROJECT_SOURCE_DIR}/tools/check_layers
  COMMENT "Checking that includes point downwards" VERBATIM)
