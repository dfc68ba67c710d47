# andon_fuzz(json DEPS andon_reflect): a libFuzzer target from fuzz/<name>.cpp, started from fuzz/seeds/<name>/ if there is one.
# As a test it is a short smoke run; run build/fuzz/fuzz/fuzz_<name> by hand for a long one.
function(andon_fuzz name)
  cmake_parse_arguments(ARG "" "" "DEPS" ${ARGN})
  add_executable(fuzz_${name} ${PROJECT_SOURCE_DIR}/fuzz/${name}.cpp)
  target_link_libraries(fuzz_${name} PRIVATE andon_flags fuzz_boost_json ${ARG_DEPS})
  target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
  set(found ${CMAKE_BINARY_DIR}/fuzz/found/${name})
  file(MAKE_DIRECTORY ${found})
  set(seeds ${PROJECT_SOURCE_DIR}/fuzz/seeds/${name})
  if(NOT IS_DIRECTORY ${seeds})
    set(seeds "")
  endif()
  add_test(NAME fuzz_${name} WORKING_DIRECTORY ${CMAKE_BINARY_DIR}
    COMMAND fuzz_${name} -runs=100000 -max_total_time=20 -timeout=10 -max_len=65536 -print_final_stats=1
            -artifact_prefix=${CMAKE_BINARY_DIR}/fuzz/${name}- ${found} ${seeds})
  set_tests_properties(fuzz_${name} PROPERTIES LABELS fuzz TIMEOUT 120)
endfunction()
