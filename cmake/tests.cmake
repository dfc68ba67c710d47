# One executable and one CTest entry per folder of tests/. Nothing here is part of a plain build:
# the target `tests` builds all of it, `tests_LABEL` what carries a label, `test_NAME` one.
#
# Labels: unit, contract, property, e2e, web, style; `pg` for what starts a PostgreSQL server; and `async` for what runs
# threads or sockets, which is tested under the thread sanitizer and under g++'s address sanitizer too.
set(ANDON_TEST_LABELS unit contract property e2e web style async pg)
add_custom_target(tests)
foreach(label IN LISTS ANDON_TEST_LABELS)
  add_custom_target(tests_${label})
endforeach()

set(ANDON_TEST_REPORTS ${CMAKE_BINARY_DIR}/reports)
file(MAKE_DIRECTORY ${ANDON_TEST_REPORTS})

# andon_test_command(NAME LABELS style COMMAND tools/check_format [ENVIRONMENT A=1] [TIMEOUT s] [WEIGHT n] [SECONDS n]
# [SERIAL]): any program as a test. It may write a JUnit report to $ANDON_TEST_REPORT, and skips by ending with 77. WEIGHT is the part of
# a processor that it keeps busy, in quarters: ./check runs as many tests at once as the machine has quarters. Those that
# take the most SECONDS begin first.
function(andon_test_command name)
  cmake_parse_arguments(ARG "SERIAL" "TIMEOUT;WEIGHT;SECONDS" "LABELS;COMMAND;ENVIRONMENT;CONFIGURATIONS" ${ARGN})
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 600)
  endif()
  if(NOT ARG_WEIGHT)
    set(ARG_WEIGHT 4)
  endif()
  if(NOT ARG_SECONDS)
    set(ARG_SECONDS 1)
  endif()
  set(configurations)
  if(ARG_CONFIGURATIONS)
    set(configurations CONFIGURATIONS ${ARG_CONFIGURATIONS})
  endif()
  add_test(NAME ${name} COMMAND ${ARG_COMMAND} ${configurations} WORKING_DIRECTORY ${CMAKE_BINARY_DIR})
  set_tests_properties(${name} PROPERTIES
    LABELS "${ARG_LABELS}"
    TIMEOUT ${ARG_TIMEOUT}
    SKIP_RETURN_CODE 77
    PROCESSORS ${ARG_WEIGHT}
    COST ${ARG_SECONDS}
    ENVIRONMENT "ANDON_TEST_REPORT=${ANDON_TEST_REPORTS}/${name}.xml;ANDON_PROGRAM=${CMAKE_BINARY_DIR}/andon;ANDON_SOURCE=${PROJECT_SOURCE_DIR};${ARG_ENVIRONMENT}")
  if(ARG_SERIAL)
    set_tests_properties(${name} PROPERTIES RUN_SERIAL ON)
  endif()
endfunction()

# The code of the tests is compiled for more time than it runs. What it tests is optimised as the preset says.
if(ANDON_SANITIZE)
  set(ANDON_TEST_OPTIMISATION -O0)
elseif(CMAKE_BUILD_TYPE MATCHES "Rel")
  set(ANDON_TEST_OPTIMISATION -O0 -U_FORTIFY_SOURCE)  # the fortified library needs optimised code
endif()

andon_precompiled_headers(tests <doctest/doctest.h> ${ANDON_STANDARD_HEADERS} <boost/json.hpp>
  DEPS doctest::doctest Boost::json OPTIMISATION ${ANDON_TEST_OPTIMISATION})

# andon_test(core LABELS unit DEPS andon_core rapidcheck): every .cpp of tests/<name>, or of DIR there, with doctest.
# With ROOMS, the program is one, but each folder in DIR is a test of its own, NAME.FOLDER, so that they run side by side.
function(andon_test name)
  cmake_parse_arguments(ARG "SERIAL;ROOMS" "TIMEOUT;DIR;WEIGHT;SECONDS" "LABELS;DEPS;ENVIRONMENT" ${ARGN})
  if(NOT ARG_DIR)
    set(ARG_DIR ${name})
  endif()
  foreach(label IN LISTS ARG_LABELS)
    if(NOT label IN_LIST ANDON_TEST_LABELS)
      message(FATAL_ERROR "test ${name}: there is no label ${label}, only: ${ANDON_TEST_LABELS}")
    endif()
  endforeach()

  if(NOT TARGET andon_test_main)
    file(GLOB main CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/support/*.cpp)
    list(FILTER main INCLUDE REGEX "/(doctest_main|junit_report)\\.cpp$")
    add_library(andon_test_main OBJECT EXCLUDE_FROM_ALL ${main})
    target_link_libraries(andon_test_main PUBLIC andon_flags doctest::doctest Boost::json)
    target_include_directories(andon_test_main PUBLIC ${PROJECT_SOURCE_DIR}/tests)
    # A request in a test names only the fields that the case is about. Linked last, behind -Wextra.
    add_library(andon_short_requests INTERFACE)
    target_compile_options(andon_short_requests INTERFACE -Wno-missing-field-initializers)
  endif()

  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/${ARG_DIR}/*.cpp)
  if(NOT sources)
    message(FATAL_ERROR "test ${name}: tests/${ARG_DIR} holds no .cpp file")
  endif()
  add_executable(test_${name} EXCLUDE_FROM_ALL ${sources})
  andon_merge(test_${name} ${sources})
  target_compile_options(test_${name} PRIVATE ${ANDON_TEST_OPTIMISATION})
  target_link_libraries(test_${name} PRIVATE andon_test_main ${ARG_DEPS} andon_short_requests)
  andon_precompile(test_${name} tests)
  set_target_properties(test_${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  add_dependencies(tests test_${name})
  foreach(label IN LISTS ARG_LABELS)
    add_dependencies(tests_${label} test_${name})
  endforeach()

  set(options LABELS ${ARG_LABELS} COMMAND test_${name} ENVIRONMENT ${ARG_ENVIRONMENT} ${ANDON_SANITIZER_ENVIRONMENT})
  if(ARG_TIMEOUT)
    list(APPEND options TIMEOUT ${ARG_TIMEOUT})
  endif()
  foreach(option WEIGHT SECONDS)
    if(ARG_${option})
      list(APPEND options ${option} ${ARG_${option}})
    endif()
  endforeach()
  if(ARG_SERIAL)
    list(APPEND options SERIAL)
  endif()
  if(ARG_ROOMS)
    andon_test_rooms(${name} ${ARG_DIR} "${sources}" "${options}")
  else()
    andon_test_command(${name} ${options})
  endif()
endfunction()

# Each source lies in a room, and each room has cases: none is left out.
function(andon_test_rooms name directory sources options)
  set(rooms)
  foreach(source IN LISTS sources)
    if(NOT source MATCHES "/tests/${directory}/([^/]+)/[^/]+$")
      message(FATAL_ERROR "test ${name}: ${source} lies in no room of tests/${directory}")
    endif()
    list(APPEND rooms ${CMAKE_MATCH_1})
  endforeach()
  list(REMOVE_DUPLICATES rooms)
  string(REPLACE "COMMAND;test_${name}" "COMMAND;test_${name};--source-file=*/ROOM/*" options "${options}")
  foreach(room IN LISTS rooms)
    string(REPLACE "*/ROOM/*" "*tests/${directory}/${room}/*" room_options "${options}")
    andon_test_command(${name}.${room} ${room_options})
    set_tests_properties(${name}.${room} PROPERTIES FAIL_REGULAR_EXPRESSION "test cases: +0 ")
  endforeach()
endfunction()

if(ANDON_SANITIZE)
  # A child begins as a copy of the tables of its parent's pages, so each freed page that the address sanitizer keeps
  # makes every start of a program slower: 256 MiB, as it keeps by itself, took two thirds of the time of `runner`. Hundreds
  # of landings in one process grew to 480 MiB with 16 MiB of kept memory; these settings hold them at about 110 MiB.
  set(ANDON_SANITIZER_ENVIRONMENT "UBSAN_OPTIONS=print_stacktrace=1" "TSAN_OPTIONS=second_deadlock_stack=1:suppressions=${PROJECT_SOURCE_DIR}/cmake/tsan_suppressions.txt"
    "ASAN_OPTIONS=detect_stack_use_after_return=1:strict_string_checks=1:quarantine_size_mb=4:thread_local_quarantine_size_kb=64\
:malloc_context_size=10:allocator_release_to_os_interval_ms=100")
endif()
