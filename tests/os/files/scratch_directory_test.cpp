#include "os/files/scratch_directory.hpp"

#include <chrono>

#include <doctest/doctest.h>

#include "support/scratch.hpp"

using namespace andon;

namespace fs = std::filesystem;

TEST_CASE("ScratchDirectory.RemovesItselfAndWhatKilledProcessesLeftLongAgo") {
  test::Scratch const place;
  auto const parent = place / "parent";
  fs::path mine;
  {
    os::ScratchDirectory const other{parent};
    fs::create_directories(parent / "andon-scratch-old");
    fs::create_directories(parent / "andon-scratch-new");
    fs::create_directories(parent / "kept");
    for (auto const* name : {"andon-scratch-old", "kept"})
      fs::last_write_time(parent / name, fs::file_time_type::clock::now() - std::chrono::hours{25});
    os::ScratchDirectory const scratch{parent};
    mine = scratch.path();
    CHECK(mine != other.path());
    CHECK(fs::is_empty(mine));
    CHECK(fs::status(mine).permissions() == fs::perms::owner_all);
  }
  CHECK_FALSE(fs::exists(mine));
  CHECK_FALSE(fs::exists(parent / "andon-scratch-old"));
  CHECK(fs::exists(parent / "andon-scratch-new"));
  CHECK(fs::exists(parent / "kept"));
}
