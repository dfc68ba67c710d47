#include "support/private_postgres.hpp"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <vector>

#include "core/text/percent.hpp"
#include "os/files/pipe.hpp"
#include "os/processes/process.hpp"

namespace andon::test {
namespace {

namespace fs = std::filesystem;

/// initdb and the server refuse to run as root, so root gives the directory to another user.
constexpr char kScript[] = R"sh(
bin=$1 dir=$2 as=
if [ "$(id -u)" = 0 ]; then
  user=postgres
  id "$user" >/dev/null 2>&1 || user=nobody
  chown "$user" "$dir"
  as="setpriv --reuid=$user --regid=$(id -g "$user") --clear-groups"
fi
cd "$dir"
start() {
  $as "$bin/initdb" --no-sync --username=owner --auth=trust --encoding=UTF8 --locale=C --pgdata="$dir/data" &&
    printf 'local all locked scram-sha-256\nlocal all all trust\n' >"$dir/data/pg_hba.conf" &&
    $as "$bin/pg_ctl" --wait --pgdata="$dir/data" --log="$dir/log" \
      --options="-F -k '$dir' -c listen_addresses= -c max_connections=60 -c shared_buffers=16MB" start &&
    $as "$bin/psql" -h "$dir" -U owner -d postgres -c "CREATE ROLE locked LOGIN PASSWORD 'right:word'"
}
if start </dev/null >"$dir/start.log" 2>&1; then echo ready; else echo failed; fi
read -r end
$as "$bin/pg_ctl" --mode=immediate --pgdata="$dir/data" stop </dev/null >/dev/null 2>&1
rm -rf "$dir"
)sh";

/// Debian keeps each version in a directory of its own.
fs::path find_programs() {
  fs::path newest;
  std::error_code ignored;
  for (auto const& version : fs::directory_iterator{"/usr/lib/postgresql", ignored})
    if (fs::exists(version.path() / "bin/initdb")) newest = std::max(newest, version.path() / "bin");
  return newest;
}

std::string new_directory() {
  auto name = (fs::temp_directory_path() / "andon-pg-XXXXXX").native();
  if (!::mkdtemp(name.data())) throw std::runtime_error("cannot make a directory for PostgreSQL");
  return name;
}

std::string first_line(os::Descriptor const& from) {
  std::string out;
  for (char c = 0; ::read(from.get(), &c, 1) == 1 && c != '\n';) out += c;
  return out;
}

}  // namespace

bool PrivatePostgres::is_installed() {
  static bool const is_there = [] {
    bool const found = !find_programs().empty();
    if (!found)
      std::fputs("skipped: there is no PostgreSQL server in /usr/lib/postgresql (package postgresql-15)\n",
                 stderr);
    return found;
  }();
  return is_there;
}

PrivatePostgres const& PrivatePostgres::instance() {
  static PrivatePostgres const server;
  return server;
}

PrivatePostgres::PrivatePostgres() : directory_(new_directory()) {
  auto input = os::make_pipe();
  auto output = os::make_pipe();
  os::Command command{.program = "/bin/sh",
                      .argv = {"sh", "-c", kScript, "sh", find_programs().native(), directory_},
                      .env = os::own_environment(),
                      .cwd = "/"};
  command.in = input.read.get();
  command.out = output.write.get();
  shell_ = os::spawn(command).pid;
  stop_ = std::move(input.write);
  output.write.reset();
  if (first_line(output.read) == "ready") return;
  auto const log = start_log();
  stop_.reset();
  os::reap(shell_);
  throw std::runtime_error("PostgreSQL does not start: " + log);
}

PrivatePostgres::~PrivatePostgres() {
  stop_.reset();
  os::reap(shell_);
}

std::string PrivatePostgres::start_log() const {
  std::ifstream file{directory_ + "/start.log"};
  return {std::istreambuf_iterator<char>{file}, {}};
}

std::string PrivatePostgres::url(std::string_view user_and_password) const {
  return "postgres://" + std::string{user_and_password} +
         "@/postgres?host=" + core::percent_encoded(directory_);
}

std::string PrivatePostgres::new_schema() const {
  static std::atomic<int> made = 0;
  return url() + "&schema=test_" + std::to_string(++made);
}

}  // namespace andon::test
