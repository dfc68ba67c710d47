# One INTERFACE target carries the language level and the warnings of every Andon target.
add_library(andon_flags INTERFACE)
target_compile_features(andon_flags INTERFACE cxx_std_23)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
# No C++ of ours becomes a shared library, and programs share precompiled headers with libraries only when the flags agree.
set(CMAKE_CXX_COMPILE_OPTIONS_PIC -fPIE)
include(CheckPIESupported)
check_pie_supported(LANGUAGES CXX)

target_compile_options(andon_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:
  -Wall -Wextra -Wpedantic -Wconversion -Wnon-virtual-dtor -Wold-style-cast
  -Woverloaded-virtual -fdiagnostics-color=auto>)
if(NOT ANDON_SANITIZE)  # the sanitizers find more than the stack protector
  target_compile_options(andon_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fstack-protector-strong -fstack-clash-protection>)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")  # control-flow enforcement (CET) of Intel and AMD
    target_compile_options(andon_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fcf-protection=full>)
  endif()
endif()
target_compile_definitions(andon_flags INTERFACE _GLIBCXX_ASSERTIONS
  BOOST_ASIO_SEPARATE_COMPILATION BOOST_BEAST_SEPARATE_COMPILATION BOOST_ASIO_NO_DEPRECATED)
target_include_directories(andon_flags INTERFACE ${PROJECT_SOURCE_DIR}/src)

if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ 12 reports std::optional as "maybe uninitialized" at -O2, and takes the enumerators of a scoped enum for names
  # that shadow others. Neither can be acted on. Once it has inlined std::string, it takes lengths for possible that are
  # not, and warns of them inside char_traits.h (GCC bugs 105329 and 105651); clang and the sanitizers look for real ones.
  target_compile_options(andon_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-maybe-uninitialized -Wshadow=local
    -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread -Wno-restrict>)
else()
  # The table of a described struct is defined in one source file only (src/reflect/described.hpp).
  target_compile_options(andon_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wshadow -Wno-undefined-var-template>)
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
  # Paths below the repository count as relative ones, so that a second work tree finds what the first one compiled.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${PROJECT_SOURCE_DIR}/tools/compile ${PROJECT_SOURCE_DIR})
endif()
find_program(MOLD mold)
if(ANDON_SANITIZE AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  add_link_options(-fuse-ld=lld)
elseif(MOLD AND NOT ANDON_SANITIZE)
  add_link_options(-fuse-ld=mold)
endif()
