#pragma once

#include <string>

namespace andon::store::sqlite {

/// The right to be the only process that writes a database, held while the object lives. It is `<path>.lock`,
/// locked with flock(2). The file remains and contains the process id of the last holder.
class OwnerLock {
 public:
  /// Throws StoreError{busy} with the process that holds the lock, or StoreError{other} on a network file
  /// system.
  explicit OwnerLock(std::string const& database);
  ~OwnerLock();
  OwnerLock(OwnerLock const&) = delete;
  OwnerLock& operator=(OwnerLock const&) = delete;

 private:
  int file_;
};

}  // namespace andon::store::sqlite
