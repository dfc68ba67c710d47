#include "runner/runs/borrowers.hpp"

#include <doctest/doctest.h>

#include "os/files/file.hpp"
#include "support/scratch.hpp"

using namespace andon;
using namespace andon::runner;

namespace fs = std::filesystem;

namespace {

struct Borrowing {
  test::Scratch scratch;
  fs::path clone = scratch / "clone";
  fs::path tree = scratch / "work/7-cart";

  bool is_needed() const { return has_borrowers(clone, fs::file_time_type::min()); }
  /// As long after all records were written.
  bool is_needed_later() const { return has_borrowers(clone, fs::file_time_type::max()); }
  std::ptrdiff_t records() const {
    return std::distance(fs::directory_iterator{clone / "borrowers"}, fs::directory_iterator{});
  }
};

}  // namespace

TEST_CASE("Borrowers.NeedTheCloneWhileTheirRepositoryIsThere") {
  Borrowing const place;
  CHECK_FALSE(place.is_needed());
  note_borrower(place.clone, place.tree);
  fs::create_directories(place.tree / ".git");
  CHECK(place.is_needed());
  CHECK(place.is_needed_later());
  fs::remove_all(place.tree / ".git");
  CHECK_FALSE(place.is_needed());
}

TEST_CASE("Borrowers.NeedTheCloneWhileTheyAreMade") {
  Borrowing const place;
  auto const unfinished = place.scratch / "work/.new-7-cart";
  note_borrower(place.clone, place.tree, unfinished);
  fs::create_directories(unfinished / ".git");
  CHECK(place.is_needed());
  fs::rename(unfinished, place.tree);
  CHECK(place.is_needed());
}

TEST_CASE("Borrowers.AreForgottenWhenTheyAreGoneForLong") {
  Borrowing const place;
  note_borrower(place.clone, place.tree);
  CHECK_FALSE(place.is_needed());
  CHECK(place.records() == 1);
  CHECK_FALSE(place.is_needed_later());
  CHECK(place.records() == 0);
  note_borrower(place.clone, place.tree);
  forget_borrower(place.clone, place.tree);
  forget_borrower(place.clone, place.tree);
  CHECK(place.records() == 0);
}

TEST_CASE("Borrowers.NeedTheCloneWhenTheyCannotBeExamined") {
  Borrowing const place;
  note_borrower(place.clone, place.tree);
  fs::create_directories(place.tree);
  fs::create_symlink(".git", place.tree / ".git");
  CHECK(place.is_needed_later());
  CHECK(place.records() == 1);
  fs::remove_all(place.clone / "borrowers");
  os::write_file(place.clone / "borrowers", "no directory");
  CHECK(place.is_needed_later());
}
