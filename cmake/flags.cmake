# One INTERFACE target carries the language level and the warnings of every Andon target.
add_library(andon_flags INTERFACE)
target_compile_features(andon_flags INTERFACE cxx_std_23)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
include(CheckPIESupported)
check_pie_supported(LANGUAGES CXX)

target_compile_options(andon_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:
  -Wall -Wextra -Wpedantic -Wconversion -Wnon-virtual-dtor -Wold-style-cast
  -Woverloaded-virtual -fstack-protector-strong -fdiagnostics-color=auto>)
target_compile_definitions(andon_flags INTERFACE _GLIBCXX_ASSERTIONS
  BOOST_ASIO_SEPARATE_COMPILATION BOOST_BEAST_SEPARATE_COMPILATION BOOST_ASIO_NO_DEPRECATED)
target_include_directories(andon_flags INTERFACE ${PROJECT_SOURCE_DIR}/src)

if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ 12 reports std::optional as "maybe uninitialized" at -O2, and takes the enumerators of a scoped enum for names
  # that shadow others. Neither can be acted on.
  target_compile_options(andon_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-maybe-uninitialized -Wshadow=local>)
else()
  target_compile_options(andon_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wshadow>)
endif()
if(ANDON_WERROR)
  target_compile_options(andon_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Werror>)
endif()
if(ANDON_FUZZ)
  target_compile_options(andon_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=fuzzer-no-link>)
endif()
if(ANDON_SANITIZE)
  # A finding ends the process: a test that only printed one would pass.
  target_compile_options(andon_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:
    -fsanitize=${ANDON_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer>)
  target_link_options(andon_flags INTERFACE -fsanitize=${ANDON_SANITIZE})
elseif(CMAKE_BUILD_TYPE MATCHES "Rel")
  target_compile_definitions(andon_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:_FORTIFY_SOURCE=2>)
  target_link_options(andon_flags INTERFACE -Wl,-z,relro,-z,now)
endif()

find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
    CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${CCACHE})
endif()
find_program(MOLD mold)
if(ANDON_SANITIZE AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  add_link_options(-fuse-ld=lld)
elseif(MOLD AND NOT ANDON_SANITIZE)
  add_link_options(-fuse-ld=mold)
endif()
