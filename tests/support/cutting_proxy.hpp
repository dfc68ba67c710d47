#pragma once

#include <atomic>
#include <list>
#include <mutex>
#include <string>
#include <thread>

#include "os/files/descriptor.hpp"
#include "os/processes/event.hpp"
#include "support/scratch.hpp"

namespace andon::test {

/// Stands between a client and a PostgreSQL server and cuts connections exactly at a COMMIT.
class CuttingProxy {
 public:
  enum class Cut {
    none,
    before,  ///< the server never gets the commit
    during,  ///< right after the commit was passed on
    after    ///< the server has committed, its answer is lost
  };

  /// `server` is the directory of the server's socket.
  explicit CuttingProxy(std::string server);
  ~CuttingProxy();
  CuttingProxy(CuttingProxy const&) = delete;

  /// The directory of the proxy's own socket.
  std::string const& directory() const { return directory_; }
  /// The next commit that begins is cut.
  void cut_next(Cut how) { next_ = how; }
  int cuts() const { return cuts_; }

 private:
  void accept();
  void serve(os::Descriptor client);

  Scratch scratch_;
  std::string const directory_;
  std::string const server_;
  os::Descriptor listening_;
  os::Event stop_;
  std::atomic<Cut> next_ = Cut::none;
  std::atomic<int> cuts_ = 0;
  std::mutex mutex_;
  std::list<std::thread> connections_;  ///< guarded by mutex_
  std::thread accepting_;
};

}  // namespace andon::test
