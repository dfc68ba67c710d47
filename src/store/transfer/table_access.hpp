#pragma once

#include <functional>
#include <vector>

#include "store/transfer/row.hpp"
#include "store/transfer/tables.hpp"

namespace andon::store::transfer {

/// The tables of one database, inside a transaction that the owner of the connection has begun. Failures are
/// thrown as StoreError.
class TableAccess {
 public:
  virtual ~TableAccess() = default;
  /// Visits all rows by their key; texts are in the order of their bytes.
  virtual void read(Table const& table, std::function<void(Row const&)> const& visit) = 0;
  /// Throws StoreError{refused} for a value that the database cannot keep.
  virtual void add(Table const& table, std::vector<Row> const& rows) = 0;
  /// Removes all rows of all tables.
  virtual void clear() = 0;
  /// Makes the copied texts ready to be searched.
  virtual void rebuild_texts() = 0;
};

}  // namespace andon::store::transfer
