#include "os/data/data_exposure.hpp"

#include <sys/stat.h>

#include <doctest/doctest.h>

#include "os/files/file.hpp"
#include "support/scratch.hpp"

using namespace andon;
namespace fs = std::filesystem;

TEST_CASE("DataExposure.IsFoundInEachPartOnce") {
  test::Scratch const scratch;
  auto const data = os::data_directory(scratch / "data");
  CHECK(os::exposures_of(data).empty());
  os::make_directories(data);
  os::make_private_directory(data.root / "memory");
  for (auto const& file : {data.db, fs::path{data.db.native() + "-wal"}, data.token, data.commands,
                           data.settings, data.root / "telegram.json"})
    os::write_file(file, "x", 0600);
  CHECK(os::exposures_of(data).empty());
  for (auto const& part : {data.root, data.agents, data.root / "memory", data.work, data.runs(), data.logs,
                           data.db, fs::path{data.db.native() + "-wal"}, data.token, data.commands,
                           data.settings, data.root / "telegram.json"}) {
    CAPTURE(part.native());
    REQUIRE(::chmod(part.c_str(), 0777) == 0);
    auto const found = os::exposures_of(data);
    REQUIRE(found.size() == 1);
    CHECK(found.front().exposure.path == part);
    CHECK(found.front().exposure.text.ends_with("chmod go-w " + part.native()));
    REQUIRE(::chmod(part.c_str(), 0700) == 0);
  }
}
