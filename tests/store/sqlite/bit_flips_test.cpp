#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <stop_token>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <sqlite3.h>

#include "store/contract/examination.hpp"
#include "store/contract/store.hpp"
#include "store/engine/unit/unit.hpp"
#include "store/engine/unit/write.hpp"
#include "store/open.hpp"
#include "support/builders.hpp"
#include "support/scratch.hpp"

using namespace andon;

namespace {

namespace fs = std::filesystem;
constexpr int kFlips = 120;
constexpr int kTasks = 200;

void fill(fs::path const& file) {
  auto const store = store::open_store("sqlite:" + file.native());
  store::write(*store, [](store::Tx& tx) {
    tx.add(core::Board(test::a_board()));
    for (int n = 0; n < kTasks; ++n) {
      core::Task task = test::a_task().tagged("tag-" + std::to_string(n % 7));
      task.title = "Task number " + std::to_string(n);
      task.body = std::string(static_cast<std::size_t>(20 + n * 13 % 900), static_cast<char>('a' + n % 26));
      tx.add(std::move(task));
    }
    return store::Outcome::commit;
  });
  store->close();
}

std::vector<std::string> rows_of(sqlite3* db, std::string const& sql) {
  std::vector<std::string> out;
  auto const take = [](void* rows, int count, char** values, char**) {
    std::string row;
    for (int i = 0; i < count; ++i) row.append(values[i] ? values[i] : "NULL").append("|");
    static_cast<std::vector<std::string>*>(rows)->push_back(std::move(row));
    return 0;
  };
  if (sqlite3_exec(db, sql.c_str(), take, &out, nullptr) != SQLITE_OK) out.emplace_back("cannot be read");
  return out;
}

/// Every row of every table, in order.
std::vector<std::string> content(fs::path const& file) {
  sqlite3* db = nullptr;
  sqlite3_open_v2(file.c_str(), &db, SQLITE_OPEN_READONLY, nullptr);
  std::vector<std::string> out;
  for (auto name : rows_of(db, "SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0")) {
    name.pop_back();
    for (auto& row : rows_of(db, "SELECT '" + name + "', * FROM \"" + name + "\""))
      out.push_back(std::move(row));
  }
  sqlite3_close(db);
  std::ranges::sort(out);
  return out;
}

void flip_bit(fs::path const& file, std::uint64_t bit) {
  std::fstream bytes{file, std::ios::in | std::ios::out | std::ios::binary};
  auto const at = static_cast<std::streamoff>(bit / 8);
  char byte = 0;
  bytes.seekg(at).get(byte);
  bytes.seekp(at).put(static_cast<char>(static_cast<unsigned char>(byte) ^ (1U << (bit % 8))));
}

bool is_told_by_the_schedule(fs::path const& file) {
  return store::examine_soundness(file, std::stop_token{}) != "ok";
}

bool is_told_by_doctor(fs::path const& file) {
  auto const found = store::examine_database(file);
  return std::ranges::any_of(found,
                             [](auto const& each) { return each.kind == store::Finding::Kind::fault; });
}

/// A read of everything ends, in the tasks or in an error.
bool is_told_by_reading(fs::path const& file) try {
  auto const store = store::open_store("sqlite:" + file.native());
  store->read([](store::Tx& tx) { tx.list({}, {}); });
  store->close();
  return false;
} catch (std::exception const&) {
  return true;
}

std::size_t rows_that_differ(std::vector<std::string> const& one, std::vector<std::string> const& other) {
  std::vector<std::string> out;
  std::ranges::set_difference(one, other, std::back_inserter(out));
  return out.size();
}

}  // namespace

TEST_CASE("BitFlips.AreToldOrChangeNoMoreThanTheTextOfOneRow") {
  test::Scratch const scratch;
  auto const whole = scratch / "whole.db";
  fill(whole);
  REQUIRE(!is_told_by_the_schedule(whole));
  auto const before = content(whole);
  REQUIRE(before.size() > 2 * kTasks);
  std::mt19937_64 random{20'261'123};
  std::uniform_int_distribution<std::uint64_t> bits{0, 8 * fs::file_size(whole) - 1};
  int told = 0, harmless = 0, unseen = 0;
  for (int n = 0; n < kFlips; ++n) {
    auto const file = scratch / ("flip-" + std::to_string(n));
    fs::copy_file(whole, file);
    auto const bit = bits(random);
    CAPTURE(bit);
    flip_bit(file, bit);
    auto const after = content(file);
    bool const by_schedule = is_told_by_the_schedule(file);
    bool const is_told = by_schedule || is_told_by_doctor(file) || is_told_by_reading(file);
    auto const lost = rows_that_differ(before, after), strange = rows_that_differ(after, before);
    CHECK((is_told || (lost <= 1 && strange == lost)));
    told += is_told;
    harmless += !is_told && lost == 0;
    unseen += !is_told && lost == 1;
    fs::remove(file);
  }
  MESSAGE(told << " told, " << harmless << " in unused bytes, " << unseen << " in the text of a row");
  CHECK(told > 0);
}

TEST_CASE("BitFlips.InTheStructureAreToldByTheSchedule") {
  test::Scratch const scratch;
  auto const whole = scratch / "whole.db";
  fill(whole);
  constexpr std::uint64_t kPage = 4096, kPagesSeen = 60;
  for (std::uint64_t page = 1; page < std::min(kPagesSeen, fs::file_size(whole) / kPage); ++page) {
    auto const file = scratch / ("page-" + std::to_string(page));
    fs::copy_file(whole, file);
    flip_bit(file, 8 * page * kPage + 1);  // the kind of the page
    CAPTURE(page);
    CHECK(is_told_by_the_schedule(file));
    fs::remove(file);
  }
}
