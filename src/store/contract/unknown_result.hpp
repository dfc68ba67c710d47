#pragma once

#include "store/contract/store.hpp"

namespace andon::store {

/// Thrown when it is unknown whether a change was kept: the caller has to read the data again. With
/// `Disk::failed` the process may write nothing more.
class UnknownResult : public StoreError {
 public:
  enum class Disk { works, failed };
  UnknownResult(Disk disk, std::string const& why)
      : StoreError(Kind::other, (disk == Disk::failed ? "the disk failed, and it" : "it") +
                                    std::string{" is unknown whether the change was kept: look again ("} +
                                    why + ")"),
        disk_(disk) {}
  Disk disk() const { return disk_; }

 private:
  Disk disk_;
};

}  // namespace andon::store
