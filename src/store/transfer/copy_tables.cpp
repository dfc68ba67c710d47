#include "store/transfer/copy_tables.hpp"

#include <utility>

#include "store/contract/store_error.hpp"
#include "store/transfer/digest.hpp"

namespace andon::store::transfer {
namespace {

// The most that is sent at once.
constexpr std::size_t kRowsOfBatch = 500;
constexpr std::size_t kBytesOfBatch = std::size_t{1} << 20U;

std::size_t bytes_of(Row const& row) {
  std::size_t out = 0;
  for (auto const& value : row)
    if (auto const* text = std::get_if<std::string>(&value)) out += text->size();
  return out;
}

/// Adds rows to a table in batches.
class Batches {
 public:
  Batches(TableAccess& to, Table const& table) : to_(to), table_(table) {}
  void add(Row const& row) {
    rows_.push_back(row);
    bytes_ += bytes_of(row);
    if (rows_.size() >= kRowsOfBatch || bytes_ >= kBytesOfBatch) flush();
  }
  void flush() {
    if (!rows_.empty()) to_.add(table_, rows_);
    rows_.clear();
    bytes_ = 0;
  }

 private:
  TableAccess& to_;
  Table const& table_;
  std::vector<Row> rows_;
  std::size_t bytes_ = 0;
};

RowDigest copy_table(Table const& table, TableAccess& from, TableAccess& to) {
  RowDigest digest;
  Batches batches{to, table};
  from.read(table, [&](Row const& row) {
    digest.add(row);
    batches.add(row);
  });
  batches.flush();
  return digest;
}

RowDigest digest_of(Table const& table, TableAccess& in) {
  RowDigest digest;
  in.read(table, [&](Row const& row) { digest.add(row); });
  return digest;
}

/// The sum of the digests of all tables.
class Sum {
 public:
  void add(Table const& table, RowDigest const& digest) {
    ++out_.tables;
    out_.rows += digest.rows();
    all_.append(table.name).append(" ").append(os::hex(digest.value())).append("\n");
  }
  Copied result() const {
    auto out = out_;
    out.digest = os::hex(os::sha256(all_));
    return out;
  }

 private:
  Copied out_;
  std::string all_;
};

void require_equal(Table const& table, RowDigest const& sent, RowDigest const& kept) {
  if (sent.rows() == kept.rows() && sent.value() == kept.value()) return;
  throw StoreError{StoreError::Kind::damaged,
                   "the copy of the table " + std::string{table.name} + " differs from the original (" +
                       std::to_string(sent.rows()) + " rows were sent, " + std::to_string(kept.rows()) +
                       " are there); nothing was kept of the copy"};
}

}  // namespace

Copied copy_tables(TableAccess& from, TableAccess& to) {
  to.clear();
  std::vector<RowDigest> sent;
  for (auto const& table : tables()) sent.push_back(copy_table(table, from, to));
  Sum sum;
  for (std::size_t i = 0; i < sent.size(); ++i) {
    require_equal(tables()[i], sent[i], digest_of(tables()[i], to));
    sum.add(tables()[i], sent[i]);
  }
  to.rebuild_texts();
  return sum.result();
}

Copied measure(TableAccess& in) {
  Sum sum;
  for (auto const& table : tables()) sum.add(table, digest_of(table, in));
  return sum.result();
}

}  // namespace andon::store::transfer
