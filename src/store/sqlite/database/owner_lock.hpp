#pragma once

#include <string>

namespace andon::store::sqlite {

/// The right to be the one process that writes a database, held while the object lives: `<path>.lock` locked
/// with flock(2). The file stays behind and says who held it last.
class OwnerLock {
 public:
  /// Throws StoreError{busy}, naming the process that holds it, or StoreError{other} on a network file
  /// system.
  explicit OwnerLock(std::string const& database);
  ~OwnerLock();
  OwnerLock(OwnerLock const&) = delete;
  OwnerLock& operator=(OwnerLock const&) = delete;

 private:
  int file_;
};

}  // namespace andon::store::sqlite
