#include "main/linked_libraries.hpp"

#include <curl/curlver.h>
#include <gnu/libc-version.h>
#include <optional>
#include <zlib.h>

#include <openssl/crypto.h>
#include <sqlite3.h>

#include "os/processes/capture.hpp"
#include "os/processes/process.hpp"
#include "os/processes/program.hpp"

namespace andon::main {
namespace {

constexpr core::Duration kLongestQuestion = std::chrono::seconds{5};

struct StaticRow {
  char const* name;
  char const* package;  ///< of Debian
  char const* built;    ///< the version of the package with which this program was built; empty elsewhere
};
constexpr StaticRow kStatic[] = {
    {"Boost", ANDON_BOOST_PACKAGE, ANDON_BOOST_VERSION},
    {"libqrcodegencpp", "libqrcodegencpp-dev", ANDON_QRCODEGEN_VERSION},
    {"RE2", "libre2-dev", ANDON_RE2_VERSION},
    {"libstdc++", ANDON_STDCXX_PACKAGE, ANDON_STDCXX_VERSION},
    {"utf8proc", "libutf8proc-dev", ANDON_UTF8PROC_VERSION},
};

/// The first line that a program of the system prints; nothing where it fails or is not there.
std::optional<std::string> answer_of(char const* program, std::vector<std::string> words) {
  auto const found = os::find_program(program, "/usr/bin:/bin");
  if (!found) return std::nullopt;
  words.insert(words.begin(), program);
  os::Command command;
  command.program = *found;
  command.argv = std::move(words);
  command.env = {"PATH=/usr/bin:/bin", "LC_ALL=C"};
  auto const said = os::capture(std::move(command), {kLongestQuestion});
  if (said.timed_out || said.status.code != 0) return std::nullopt;
  return said.out.substr(0, said.out.find('\n'));
}

bool is_newer(std::string const& version, std::string const& than) {
  return answer_of("dpkg", {"--compare-versions", version, "gt", than}).has_value();
}

cli::LinkedLibrary static_library(StaticRow const& row) {
  cli::LinkedLibrary out{row.name, row.built, "static", {}};
  if (out.version.empty()) return out;
  auto const there = answer_of("dpkg-query", {"--show", "--showformat=${Version}", row.package});
  if (there && is_newer(*there, out.version)) out.system = *there;
  return out;
}

}  // namespace

std::vector<cli::LinkedLibrary> linked_libraries() {
  std::vector<cli::LinkedLibrary> out;
  for (auto const& row : kStatic) out.push_back(static_library(row));
  out.push_back({"OpenSSL", ::OpenSSL_version(OPENSSL_VERSION_STRING), "shared", {}});
  out.push_back({"SQLite", ::sqlite3_libversion(), "shared", {}});
  out.push_back({"glibc", ::gnu_get_libc_version(), "shared", {}});
  out.push_back({"zlib", ::zlibVersion(), "shared", {}});
  // Their headers only: the libraries are loaded when they are needed.
  out.push_back({"libcurl", LIBCURL_VERSION, "loaded", {}});
  out.push_back({"libpq", ANDON_PQ_VERSION, "loaded", {}});
  return out;
}

}  // namespace andon::main
