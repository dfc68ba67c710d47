#pragma once

#include "store/contract/store.hpp"

namespace andon::store {

/// The change may have been kept or not: whoever asked for it has to look again. Where the disk itself failed
/// the process that finds it may write no more.
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
