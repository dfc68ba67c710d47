#include "os/files/exposure.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <doctest/doctest.h>

#include "os/files/file.hpp"
#include "support/scratch.hpp"

using namespace andon;
namespace fs = std::filesystem;

namespace {

constexpr uid_t kStranger = 12'345;

fs::path file_with_mode(test::Scratch const& scratch, mode_t mode) {
  auto file = scratch / ("mode-" + std::to_string(mode));
  os::write_file(file, "x", mode);
  return file;
}

/// A link to a file, in a directory of that mode.
fs::path link_in_directory(test::Scratch const& scratch, mode_t mode) {
  os::write_file(scratch / "file", "x");
  auto const directory = scratch / ("open-" + std::to_string(mode));
  os::make_private_directory(directory);
  fs::create_symlink(scratch / "file", directory / "link");
  REQUIRE(::chmod(directory.c_str(), mode) == 0);
  return directory / "link";
}

}  // namespace

TEST_CASE("Exposure.IsAFileThatOthersCanWrite") {
  test::Scratch const scratch;
  for (mode_t const mode : {0666U, 0777U, 0602U}) {
    auto const file = file_with_mode(scratch, mode);
    auto const found = os::exposure_of(file);
    REQUIRE(found);
    CHECK(found->path == file);
    CHECK(found->mode == mode);
    CHECK(found->text.ends_with("; look at it, then: chmod go-w " + file.native()));
  }
  CHECK(os::exposure_of(scratch / "mode-438")->text.contains("can be written by others (mode 0666)"));
  for (mode_t const mode : {0600U, 0644U, 0400U, 0755U})
    CHECK(!os::exposure_of(file_with_mode(scratch, mode)));
  CHECK(!os::exposure_of(scratch / "nothing"));
}

TEST_CASE("Exposure.IsAGroupOfOthersThatCanWrite" * doctest::skip(::geteuid() != 0)) {
  test::Scratch const scratch;
  auto const file = file_with_mode(scratch, 0660);
  CHECK(!os::exposure_of(file));  // the group of root is its own
  REQUIRE(::chown(file.c_str(), 0, kStranger) == 0);
  CHECK(os::exposure_of(file));
}

TEST_CASE("Exposure.IsAnotherOwner" * doctest::skip(::geteuid() != 0)) {
  test::Scratch const scratch;
  auto const file = file_with_mode(scratch, 0600);
  REQUIRE(::chown(file.c_str(), kStranger, kStranger) == 0);
  auto const found = os::exposure_of(file);
  REQUIRE(found);
  CHECK(found->text.contains(file.native() + " (mode 0600) belongs to user 12345"));
  CHECK(found->text.ends_with("chown -h 0 " + file.native()));
  REQUIRE(::chown(scratch.path().c_str(), kStranger, kStranger) == 0);
  CHECK(!os::exposure_of_file(file));  // the directory of a service
}

TEST_CASE("Exposure.IsALinkThatOthersCouldExchange") {
  test::Scratch const scratch;
  for (mode_t const mode : {0777U, 0703U}) {
    auto const link = link_in_directory(scratch, mode);
    auto const found = os::exposure_of_way(link);
    REQUIRE(found);
    CHECK(found->path == link.parent_path());
    CHECK(found->mode == mode);
    CHECK(found->text.starts_with(link.native() + " is a link"));
    CHECK(found->text.ends_with("chmod go-w " + link.parent_path().native()));
  }
}

TEST_CASE("Exposure.IsALinkAnywhereOnTheWay") {
  test::Scratch const scratch;
  os::make_private_directory(scratch / "data");
  os::write_file(scratch / "data/andon.db", "x");
  os::make_private_directory(scratch / "open");
  fs::create_symlink("../data", scratch / "open/data");
  fs::create_symlink("open/data", scratch / "private");
  REQUIRE(::chmod((scratch / "open").c_str(), 0777) == 0);
  CHECK(os::exposure_of_way(scratch / "open/data/andon.db"));
  CHECK(os::exposure_of_way(scratch / "private/andon.db"));
  CHECK(!os::exposure_of_way(scratch / "data/andon.db"));
}

TEST_CASE("Exposure.IsNoLinkInAPrivateOrStickyDirectory") {
  test::Scratch const scratch;
  for (mode_t const mode : {0700U, 0755U, 01777U})
    CHECK(!os::exposure_of_way(link_in_directory(scratch, mode)));
}

TEST_CASE("Exposure.IsALinkOfSomebodyElse" * doctest::skip(::geteuid() != 0)) {
  test::Scratch const scratch;
  auto const link = link_in_directory(scratch, 01777);
  REQUIRE(::lchown(link.c_str(), kStranger, kStranger) == 0);
  CHECK(os::exposure_of_way(link));
}

TEST_CASE("Exposure.IsADirectoryOnTheWayThatOthersCanWrite") {
  test::Scratch const scratch;
  for (auto const* directory : {"open", "open/data", "far"}) os::make_private_directory(scratch / directory);
  os::write_file(scratch / "far/andon.db", "x");
  fs::create_symlink("../../far/andon.db", scratch / "open/data/andon.db");
  auto const file = scratch / "open/data/andon.db";
  CHECK(!os::exposure_of_way(file));
  for (auto const* directory : {"open", "far"}) {
    CAPTURE(directory);
    auto const place = scratch / directory;
    REQUIRE(::chmod(place.c_str(), 0777) == 0);
    auto const found = os::exposure_of_way(file);
    REQUIRE(found);
    CHECK(found->path == place);
    CHECK(found->text.contains(" could be replaced by others, for they can write " + place.native()));
    CHECK(found->text.ends_with("use another place, or: chmod go-w " + place.native()));
    REQUIRE(::chmod(place.c_str(), 01777) == 0);
    CHECK(!os::exposure_of_way(file));
  }
  REQUIRE(::chmod((scratch / "open").c_str(), 0777) == 0);
  CHECK(os::exposure_of_way(scratch / "open/not/there"));
}

TEST_CASE("Exposure.OfADirectoryIsNotItsOwnerForRoot" * doctest::skip(::geteuid() != 0)) {
  test::Scratch const scratch;
  os::make_private_directory(scratch / "data");
  REQUIRE(::chown((scratch / "data").c_str(), kStranger, kStranger) == 0);
  CHECK(!os::exposure_of_directory(scratch / "data"));
  CHECK(os::exposure_of_file(scratch / "data"));
}

TEST_CASE("Exposure.EndsWhereLinksLeadInACircle") {
  test::Scratch const scratch;
  fs::create_symlink(scratch / "b", scratch / "a");
  fs::create_symlink(scratch / "a", scratch / "b");
  CHECK(!os::exposure_of_way(scratch / "a"));
}
