// Work that is hard to put into a commit: much of it, on a full disk, or still changing. `ANDON_PATHS=100000`
// is the whole measure.
#include <chrono>
#include <fstream>
#include <thread>

#include "os/files/file.hpp"
#include "runner/objects/small_disk.hpp"
#include "runner/worktrees/git_place.hpp"

using namespace andon;
using namespace andon::runner;
using test::at;

namespace {

constexpr int kUsualPaths = 4'000;
constexpr int kManyFolders = 100;

int wanted_paths() {
  auto const* given = std::getenv("ANDON_PATHS");
  return given ? std::atoi(given) : kUsualPaths;
}

/// A task's work tree whose run said that it is done.
struct FaultyWork {
  test::GitPlace place{};
  WorkspaceSpec spec = place.workspace("7-cart");
  std::filesystem::path tree{spec.directory};

  FaultyWork() {
    auto const made = test::GitPlace::prepare(spec);
    REQUIRE(made);
    spec.place = *made;
  }
  RunWork settle() const { return record_work(spec, *spec.place, 7, {}, use_for(spec), test::finished()); }
  void write_many(int count, std::string_view ending) const {
    for (int i = 0; i < count; ++i) {
      auto const folder = tree / ("d" + std::to_string(i % kManyFolders));
      std::filesystem::create_directories(folder);
      std::ofstream{folder / ("f" + std::to_string(i) + std::string{ending})} << i << "\n";
    }
  }
  std::string count_committed() const {
    return at(place.clone().repo(), "git ls-tree -r --name-only refs/andon/runs/7 | wc -l");
  }
};

std::int64_t milliseconds_of(auto const& act) {
  auto const begun = std::chrono::steady_clock::now();
  act();
  return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - begun)
      .count();
}

}  // namespace

TEST_CASE("LedgerFaults.ManyPathsAreAllCommitted") {
  FaultyWork const work;
  work.write_many(wanted_paths(), ".txt");
  RunWork done;
  auto const first = milliseconds_of([&] { done = work.settle(); });
  CHECK(done.trouble == "");
  CHECK(done.files_changed == wanted_paths());
  CHECK(work.count_committed() == std::to_string(wanted_paths() + 2));
  auto const again = milliseconds_of([&] { done = work.settle(); });
  CHECK(done.left_out.empty());
  MESSAGE(wanted_paths(), " new paths: ", first, " ms; without a change: ", again, " ms");
}

TEST_CASE("LedgerFaults.ManyPathsThatAreLeftOutAreCounted") {
  FaultyWork const work;
  at(work.tree, "echo '*.odd working-tree-encoding=UTF-16LE' >.gitattributes");
  work.write_many(kUsualPaths, ".odd");
  for (int i = 0; i < kUsualPaths; i += 2)
    std::ofstream{work.tree / ("d" + std::to_string(i % kManyFolders)) / ("f" + std::to_string(i) + ".odd")}
        << "odd";
  auto const done = work.settle();
  CHECK(done.left_out.size() == 100);
  auto const committed = std::stoi(work.count_committed());
  CHECK(committed > 2);
  CHECK(done.trouble.starts_with(std::to_string(kUsualPaths + 3 - committed) +
                                 " paths of the work are left out"));
}

TEST_CASE("LedgerFaults.ALongAttributeFileOfTheAgentHidesNothing") {
  FaultyWork const work;
  {
    std::ofstream rules{work.tree / ".gitattributes"};
    for (int i = 0; i < 100'000; ++i) rules << "folder/" << i << "/*.txt text\n";
    rules << "sealed filter=seal\n";
  }
  at(work.tree, "echo x >sealed; echo y >plain");
  auto const done = work.settle();
  REQUIRE(done.left_out.size() == 1);
  CHECK(done.left_out[0].path == "sealed");
  CHECK(work.count_committed() == "4");
}

TEST_CASE("LedgerFaults.AFileThatChangesMeanwhileIsCommittedAsItWasOrNamed") {
  FaultyWork const work;
  work.write_many(kUsualPaths / 10, ".txt");
  std::jthread const writer{[&](std::stop_token const& stop) {
    for (int i = 0; !stop.stop_requested(); ++i)
      std::ofstream{work.tree / "changing", std::ios::app} << "line " << i << "\n";
  }};
  auto const done = work.settle();
  REQUIRE(done.left_out.size() <= 1);
  if (!done.left_out.empty()) CHECK(done.left_out[0].path == "changing");
  CHECK(done.left_out.empty() == done.trouble.empty());
  CHECK(at(work.place.clone().repo(), "git fsck --no-dangling 2>&1") == "");
}

TEST_CASE("LedgerFaults.AFullDiskIsAReasonAndTheWorkIsKept") {
  for (std::uint64_t const left : {0U, 20'000U, 200'000U}) {
    CAPTURE(left);
    test::Scratch const scratch;
    auto const disk = scratch / "disk";
    auto const report = test::on_small_disk(disk, [&]() -> std::string {
      ::setenv("TMPDIR", disk.c_str(), 1);
      FaultyWork const work;
      work.write_many(400, ".txt");
      test::fill_disk(disk, left);
      auto const full = work.settle();
      std::filesystem::remove(disk / "filler");
      if (full.trouble.empty()) return "it worked: " + full.head;
      if (!std::filesystem::exists(work.tree / "d1/f1.txt")) return "the work is lost";
      auto const next = work.settle();
      return next.trouble.empty() && work.count_committed() == "402" ? "good" : "next: " + next.trouble;
    });
    if (!report) return;
    CHECK(*report == "good");
  }
}
