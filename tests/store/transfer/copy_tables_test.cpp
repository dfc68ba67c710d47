#include "store/transfer/copy_tables.hpp"

#include <map>

#include "store/transfer/databases.hpp"
#include "store/transfer/digest.hpp"

using namespace andon;
using namespace andon::test;
using namespace andon::store::transfer;

namespace {

/// Tables in memory.
class MemoryTables : public TableAccess {
 public:
  void read(Table const& table, std::function<void(Row const&)> const& visit) override {
    for (auto const& row : rows_[table.name]) visit(row);
  }
  void add(Table const& table, std::vector<Row> const& rows) override {
    auto& kept = rows_[table.name];
    kept.insert(kept.end(), rows.begin(), rows.end());
  }
  void clear() override { rows_.clear(); }
  void rebuild_texts() override {}

 private:
  std::map<std::string_view, std::vector<Row>> rows_;
};

/// Changes a text on its way into the table `setting`.
class FaultyTables final : public MemoryTables {
 public:
  void add(Table const& table, std::vector<Row> const& rows) override {
    auto kept = rows;
    if (table.name == "setting") kept.back().back() = std::string{"another"};
    MemoryTables::add(table, kept);
  }
};

Table const& table_named(std::string_view name) { return *std::ranges::find(tables(), name, &Table::name); }

os::Sha256 digest_of_row(Row const& row) {
  RowDigest out;
  out.add(row);
  return out.value();
}

}  // namespace

TEST_CASE("CopyTables.RefusesACopyThatDiffers") {
  MemoryTables from;
  FaultyTables to;
  MemoryTables good;
  from.add(table_named("setting"), {{std::string{"name"}, std::string{"value"}}});
  CHECK(refusal_of([&] { copy_tables(from, to); }).contains("the copy of the table setting differs"));
  CHECK(copy_tables(from, good).digest == measure(from).digest);
  CHECK(measure(from).digest != measure(to).digest);
  CHECK(measure(from).rows == 1);
}

TEST_CASE("RowDigest.TellsValuesApart") {
  using Text = std::string;
  CHECK(digest_of_row({Text{"ab"}, Text{"c"}}) != digest_of_row({Text{"a"}, Text{"bc"}}));
  CHECK(digest_of_row({Text{}}) != digest_of_row({std::monostate{}}));
  CHECK(digest_of_row({std::int64_t{1}}) != digest_of_row({1.0}));
  CHECK(digest_of_row({std::int64_t{1}}) != digest_of_row({Text{"1"}}));
  CHECK(digest_of_row({0.0}) != digest_of_row({-0.0}));
}
