#pragma once

#include <string>
#include <string_view>

#include "store/contract/store_error.hpp"

namespace andon::store {

/// Thrown when it is unknown whether a change was kept: the caller has to read the data again. With
/// `Disk::failed` and `Disk::gone` (the database's files were removed or replaced) the process may write
/// nothing more.
class UnknownResult : public StoreError {
 public:
  enum class Disk { works, failed, gone };
  UnknownResult(Disk disk, std::string const& why)
      : StoreError(Kind::other, std::string{beginning(disk)} +
                                    " is unknown whether the change was kept: look again (" + why + ")"),
        disk_(disk) {}
  Disk disk() const { return disk_; }

 private:
  static std::string_view beginning(Disk disk) {
    switch (disk) {
      case Disk::works: return "it";
      case Disk::failed: return "the disk failed, and it";
      case Disk::gone: return "the database is gone, and it";
    }
    return "it";
  }

  Disk disk_;
};

}  // namespace andon::store
