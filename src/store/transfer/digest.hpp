#pragma once

#include <cstdint>
#include <string>

#include "os/digest.hpp"
#include "store/transfer/row.hpp"

namespace andon::store::transfer {

/// SHA-256 over rows in their order. The digest of each row covers that of all rows before it, so that
/// nothing but 32 bytes is kept.
class RowDigest {
 public:
  void add(Row const& row);
  std::int64_t rows() const { return rows_; }
  os::Sha256 const& value() const { return value_; }

 private:
  os::Sha256 value_{};
  std::int64_t rows_ = 0;
};

}  // namespace andon::store::transfer
