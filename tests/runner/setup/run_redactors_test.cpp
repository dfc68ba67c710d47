#include "runner/setup/run_redactors.hpp"

#include <doctest/doctest.h>

#include "os/files/file.hpp"
#include "runner/runs/run_files.hpp"
#include "support/scratch.hpp"

using namespace andon;
using namespace andon::test;

namespace {

/// A data directory with runs whose programs have keys.
struct Host {
  Scratch scratch;
  os::DataDirectory data = os::data_directory(scratch.path());

  void add_run(int run, std::string const& token, std::string const& key) const {
    runner::RunFiles const files{data.runs() / std::to_string(run)};
    os::make_private_directory(files.dir);
    runner::RunSpec spec;
    spec.token = token;
    spec.env = {"SHOP_KEY=" + key};
    runner::write_spec(files, spec);
  }
};

std::string redacted(runner::RunRedactors& redactors, std::string const& token, std::string_view text) {
  return redactors(redactors.run_with(token), text);
}

}  // namespace

TEST_CASE("RunRedactors.KnowARunByItsToken") {
  Host const host;
  host.add_run(1, "token-of-one", "key-of-one");
  runner::RunRedactors redactors(host.data);
  CHECK(redacted(redactors, "token-of-one", "a key-of-one b key-of-two") == "a [redacted] b key-of-two");
  host.add_run(2, "token-of-two", "key-of-two");
  CHECK(redacted(redactors, "token-of-two", "a key-of-one b key-of-two") == "a key-of-one b [redacted]");
  CHECK(redacted(redactors, "token-of-two", "my token-of-two") == "my [redacted]");
  for (auto const* unknown : {"", "token-of-nobody"})
    CHECK(redacted(redactors, unknown, "key-of-one, andon_run_0123456789abcdef") == "key-of-one, [redacted]");
}

TEST_CASE("RunRedactors.LookAgainForARunWhoseSpecWasNotThere") {
  Host const host;
  os::make_private_directory(host.data.runs() / "1");
  os::make_private_directory(host.data.runs() / "no-run");
  runner::RunRedactors redactors(host.data);
  CHECK(redacted(redactors, "token-of-one", "key-of-one") == "key-of-one");
  host.add_run(1, "token-of-one", "key-of-one");
  CHECK(redacted(redactors, "token-of-one", "key-of-one") == "[redacted]");
}
