# andon_embed(target PREFIX page DIR path [COMPRESS] [PATTERN *.sql] [DEPENDS stamp])
#
# Compiles the files of a directory into `target` and defines PREFIX_files() of os/embedded.hpp there. COMPRESS
# adds gzip and brotli forms. Without DEPENDS the files are watched one by one; with it the directory is what
# a build step makes, its names are not known beforehand, and the stamp says when it changed.
set(ANDON_EMBED_SCRIPT ${CMAKE_CURRENT_LIST_DIR}/embed_directory.cmake)

function(andon_embed target)
  cmake_parse_arguments(ARG "COMPRESS" "PREFIX;DIR;PATTERN;DEPENDS" "" ${ARGN})
  if(NOT ARG_PATTERN)
    set(ARG_PATTERN *)
  endif()
  get_filename_component(directory ${ARG_DIR} ABSOLUTE)
  set(watched ${ARG_DEPENDS})
  if(NOT watched)
    file(GLOB_RECURSE watched CONFIGURE_DEPENDS ${directory}/${ARG_PATTERN})
  endif()
  string(MD5 names "${watched}") # in the command, so that a file that goes away is noticed
  if(ARG_COMPRESS)
    find_program(ANDON_GZIP gzip REQUIRED)
    find_program(ANDON_BROTLI brotli REQUIRED)
    set(compressors -DGZIP=${ANDON_GZIP} -DBROTLI=${ANDON_BROTLI})
  endif()

  set(output ${CMAKE_BINARY_DIR}/embedded/${target}_${ARG_PREFIX})
  add_custom_command(
    OUTPUT ${output}/files.S ${output}/files.cpp
    COMMAND ${CMAKE_COMMAND} -DDIR=${directory} -DPATTERN=${ARG_PATTERN} -DPREFIX=${ARG_PREFIX} -DOUTPUT=${output}
            -DNAMES=${names} ${compressors} -P ${ANDON_EMBED_SCRIPT}
    DEPENDS ${watched} ${ANDON_EMBED_SCRIPT}
    COMMENT "Embedding ${ARG_PREFIX}"
    VERBATIM)
  target_sources(${target} PRIVATE ${output}/files.S ${output}/files.cpp)
  set_source_files_properties(${output}/files.S ${output}/files.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

# andon_embed_page(target): page_files() of `target` are the page, built from web/ by tools/build_page; on a machine
# without Node they are one page that says how to get it.
if(EXISTS ${PROJECT_SOURCE_DIR}/web/package.json)
  # One stamp for all presets, beside the one web/dist they share.
  set(ANDON_PAGE_STAMP ${PROJECT_SOURCE_DIR}/.cache/page/stamp)
  file(GLOB_RECURSE page_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/web/src/* ${PROJECT_SOURCE_DIR}/web/public/*
       ${PROJECT_SOURCE_DIR}/web/vite/*)
  file(GLOB page_settings CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/web/*.json ${PROJECT_SOURCE_DIR}/web/*.ts
       ${PROJECT_SOURCE_DIR}/web/*.js ${PROJECT_SOURCE_DIR}/web/*.html)
  add_custom_command(
    OUTPUT ${ANDON_PAGE_STAMP}
    COMMAND ${PROJECT_SOURCE_DIR}/tools/build_page --or-explain
    DEPENDS ${page_sources} ${page_settings}
    COMMENT "Building the page"
    VERBATIM)
  add_custom_target(page DEPENDS ${ANDON_PAGE_STAMP})
endif()

function(andon_embed_page target)
  if(ANDON_PAGE_STAMP)
    andon_embed(${target} PREFIX page COMPRESS DIR ${PROJECT_SOURCE_DIR}/web/dist DEPENDS ${ANDON_PAGE_STAMP})
    add_dependencies(${target} page)
  else()
    andon_embed(${target} PREFIX page COMPRESS DIR ${PROJECT_SOURCE_DIR}/cmake/page_not_built)
  endif()
endfunction()
