option(ANDON_PRECOMPILE "Parse the headers of the libraries that most files include once" ON)
set(ANDON_STANDARD_HEADERS <algorithm> <array> <atomic> <charconv> <chrono> <cstdint> <deque> <expected> <filesystem>
  <functional> <map> <memory> <mutex> <optional> <ranges> <set> <span> <string> <string_view> <utility> <variant> <vector>)

# andon_precompiled_headers(standard <vector> … [DEPS Boost::json]): headers that targets share by
# andon_precompile(TARGET standard). They are those of the standard library, Boost.JSON and Asio only: a change of a header
# of ours would compile every file of each target again. A build without them (ANDON_PRECOMPILE=OFF, as the preset gcc is)
# shows an include that is missing.
function(andon_precompiled_headers name)
  cmake_parse_arguments(ARG "" "" "DEPS;OPTIMISATION" ${ARGN})
  if(NOT ANDON_PRECOMPILE)
    return()
  endif()
  set(source ${CMAKE_BINARY_DIR}/precompiled/${name}.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT "")
  add_library(andon_precompiled_${name} OBJECT EXCLUDE_FROM_ALL ${source})
  target_link_libraries(andon_precompiled_${name} PRIVATE andon_flags ${ARG_DEPS})
  target_compile_options(andon_precompiled_${name} PRIVATE ${ARG_OPTIMISATION})
  andon_precompile_options(andon_precompiled_${name})
  target_precompile_headers(andon_precompiled_${name} PRIVATE ${ARG_UNPARSED_ARGUMENTS})
endfunction()

# So that ccache can keep what is compiled with a precompiled header.
function(andon_precompile_options target)
  target_compile_options(${target} PRIVATE
    $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fpch-preprocess> $<$<COMPILE_LANG_AND_ID:CXX,Clang>:SHELL:-Xclang -fno-pch-timestamp>)
endfunction()

function(andon_precompile target name)
  if(NOT ANDON_PRECOMPILE)
    return()
  endif()
  andon_precompile_options(${target})
  target_precompile_headers(${target} REUSE_FROM andon_precompiled_${name})
endfunction()

option(ANDON_MERGE "Compile the files of each folder together" OFF)
# More files in one unit need more memory than a compiler of a small machine has.
set(ANDON_MERGED_AT_MOST 24)

# andon_merge(TARGET FILE…): compiles the files of each folder as one unit, a large folder as several, because
# reading headers and instantiating templates takes most of the time (docs/decisions/0028). So the names in the
# unnamed namespaces of a folder differ; a preset that does not merge shows an include that is missing.
function(andon_merge target)
  if(NOT ANDON_MERGE)
    return()
  endif()
  set(names)
  foreach(file IN LISTS ARGN)
    get_filename_component(folder ${file} DIRECTORY)
    file(RELATIVE_PATH name ${PROJECT_SOURCE_DIR} ${folder})
    string(MAKE_C_IDENTIFIER ${name} name)
    if(file MATCHES "/described[.]cpp$")
      set(name described)  # whatever is in a unit with one makes tables of its own
    endif()
    list(APPEND names ${name})
    list(APPEND files_of_${name} ${file})
  endforeach()
  list(REMOVE_DUPLICATES names)
  foreach(name IN LISTS names)
    set(files ${files_of_${name}})
    list(LENGTH files count)
    math(EXPR units "(${count} + ${ANDON_MERGED_AT_MOST} - 1) / ${ANDON_MERGED_AT_MOST}")
    math(EXPR each "(${count} + ${units} - 1) / ${units}")
    foreach(i RANGE 1 ${count})
      math(EXPR index "${i} - 1")
      math(EXPR unit "${index} / ${each}")
      list(GET files ${index} file)
      set_source_files_properties(${file} PROPERTIES UNITY_GROUP ${name}_${unit})
    endforeach()
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()

# andon_quick_compile(TARGET): for code that waits for people and other programs. A release optimises it less, which takes a
# quarter of its compile time away.
function(andon_quick_compile target)
  target_compile_options(${target} PRIVATE $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CONFIG:RelWithDebInfo>>:-O1>)
endfunction()

# andon_library(core DEPS reflect Boost::headers PRECOMPILED standard): a static library from every .cpp of src/<name>, at
# any depth.
function(andon_library name)
  cmake_parse_arguments(ARG "" "PRECOMPILED" "DEPS" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp)
  add_library(andon_${name} STATIC ${sources})
  andon_merge(andon_${name} ${sources})
  target_link_libraries(andon_${name} PUBLIC andon_flags ${ARG_DEPS})
  andon_precompile(andon_${name} ${ARG_PRECOMPILED})
endfunction()

option(ANDON_SPLIT_SYMBOLS "Keep the symbols of the program in a file beside it" OFF)

# andon_split_symbols(TARGET): moves the symbols for a debugger to TARGET.debug, beside the program, where gdb finds them.
function(andon_split_symbols target)
  set(symbols $<TARGET_FILE:${target}>.debug)
  add_custom_command(TARGET ${target} POST_BUILD
    COMMAND ${CMAKE_OBJCOPY} --only-keep-debug --compress-debug-sections $<TARGET_FILE:${target}> ${symbols}
    COMMAND ${CMAKE_STRIP} --strip-all $<TARGET_FILE:${target}>
    COMMAND ${CMAKE_OBJCOPY} --add-gnu-debuglink=${symbols} $<TARGET_FILE:${target}>
    BYPRODUCTS ${CMAKE_BINARY_DIR}/${target}.debug
    VERBATIM)
  install(FILES ${symbols} DESTINATION ${CMAKE_INSTALL_BINDIR})
endfunction()

# andon_program(main DEPS andon_cli …): the program `andon`, at the top of the build directory, from src/<name>.
function(andon_program name)
  cmake_parse_arguments(ARG "" "PRECOMPILED" "DEPS" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp)
  add_executable(andon ${sources})
  andon_merge(andon ${sources})
  target_link_libraries(andon PRIVATE andon_flags ${ARG_DEPS})
  andon_precompile(andon ${ARG_PRECOMPILED})
  set_target_properties(andon PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
  install(TARGETS andon RUNTIME)
  if(ANDON_SPLIT_SYMBOLS)
    andon_split_symbols(andon)
  endif()
endfunction()

# Every build ends with a look at the includes.
add_custom_target(layers ALL COMMAND ${PROJECT_SOURCE_DIR}/tools/check_layers
  COMMENT "Checking that includes point downwards" VERBATIM)
