# Run with cmake -P: writes OUTPUT/files.S and OUTPUT/files.cpp for the files of DIR that match PATTERN.
# The assembler takes the bytes in by .incbin, so a megabyte costs no compile time.
cmake_minimum_required(VERSION 3.25)

# Leaves a file alone that already says this, so that nothing is compiled again.
function(write_if_different file text)
  file(WRITE ${file}.new "${text}")
  file(COPY_FILE ${file}.new ${file} ONLY_IF_DIFFERENT)
  file(REMOVE ${file}.new)
endfunction()

function(mime_of path result)
  get_filename_component(extension ${path} LAST_EXT)
  set(types
    .html text/html .css text/css .js text/javascript .mjs text/javascript .json application/json
    .map application/json .webmanifest application/manifest+json .svg image/svg+xml .png image/png .ico image/x-icon
    .webp image/webp .woff2 font/woff2 .mp3 audio/mpeg .wasm application/wasm .sql application/sql
    .md text/markdown .txt text/plain)
  list(FIND types "${extension}" at)
  set(mime "application/octet-stream")
  if(NOT at EQUAL -1)
    math(EXPR at "${at} + 1")
    list(GET types ${at} mime)
  endif()
  if(mime MATCHES "^text/")
    string(APPEND mime "; charset=utf-8")
  endif()
  set(${result} "${mime}" PARENT_SCOPE)
endfunction()

# Appends the bytes of a file to the assembly under a symbol, and gives the C++ span of them.
function(embed_bytes file symbol result)
  file(SIZE ${file} size)
  string(APPEND assembly ".hidden ${symbol}\n.globl ${symbol}\n.balign 16\n${symbol}:\n  .incbin \"${file}\"\n  .byte 0\n")
  string(APPEND declarations "extern unsigned char const ${symbol}[];\n")
  set(assembly "${assembly}" PARENT_SCOPE)
  set(declarations "${declarations}" PARENT_SCOPE)
  set(${result} "{${symbol}, ${size}}" PARENT_SCOPE)
endfunction()

# Keeps the compressed form of a file only where it is smaller.
function(embed_compressed file compressed symbol result)
  file(SIZE ${file} size)
  file(SIZE ${compressed} compressed_size)
  if(compressed_size LESS size)
    embed_bytes(${compressed} ${symbol} bytes)
    set(${result} "${bytes}" PARENT_SCOPE)
    set(assembly "${assembly}" PARENT_SCOPE)
    set(declarations "${declarations}" PARENT_SCOPE)
  else()
    set(${result} "{}" PARENT_SCOPE)
  endif()
endfunction()

file(GLOB_RECURSE files RELATIVE ${DIR} ${DIR}/${PATTERN})
list(SORT files)
file(REMOVE_RECURSE ${OUTPUT}/compressed)
file(MAKE_DIRECTORY ${OUTPUT}/compressed)

set(assembly ".section .rodata,\"a\",@progbits\n")
set(declarations "")
set(rows "")
set(count 0)
foreach(path IN LISTS files)
  set(file ${DIR}/${path})
  set(symbol andon_embedded_${PREFIX}_${count})
  mime_of(${path} mime)
  file(SHA256 ${file} digest)
  embed_bytes(${file} ${symbol} raw)
  set(gzip "{}")
  set(brotli "{}")
  if(GZIP)
    execute_process(COMMAND ${GZIP} -9nc ${file} OUTPUT_FILE ${OUTPUT}/compressed/${count}.gz COMMAND_ERROR_IS_FATAL ANY)
    execute_process(COMMAND ${BROTLI} -q 11 -f -o ${OUTPUT}/compressed/${count}.br ${file} COMMAND_ERROR_IS_FATAL ANY)
    embed_compressed(${file} ${OUTPUT}/compressed/${count}.gz ${symbol}_gzip gzip)
    embed_compressed(${file} ${OUTPUT}/compressed/${count}.br ${symbol}_brotli brotli)
  endif()
  string(APPEND rows "    {\"${path}\", \"${mime}\", \"${digest}\", ${raw}, ${gzip}, ${brotli}},\n")
  math(EXPR count "${count} + 1")
endforeach()
string(APPEND assembly ".section .note.GNU-stack,\"\",@progbits\n")

# The assembly names the files but not their content; the digests make it differ whenever they do.
string(SHA256 content "${rows}")
write_if_different(${OUTPUT}/files.S "/* ${content} */\n${assembly}")
if(count EQUAL 0)
  set(table "  return {};\n")
else()
  set(table "  static constexpr EmbeddedFile files[] = {\n${rows}  };\n  return files;\n")
endif()
write_if_different(${OUTPUT}/files.cpp "#include \"os/embedded.hpp\"

extern \"C\" {
${declarations}}

namespace andon {

std::span<EmbeddedFile const> ${PREFIX}_files() {
${table}}

}  // namespace andon
")
