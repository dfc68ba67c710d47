#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "api/local_executor.hpp"
#include "cli/command_line/location.hpp"
#include "os/data/data_directory.hpp"
#include "os/processes/clock.hpp"
#include "store/contract/store.hpp"
#include "store/contract/store_error.hpp"

namespace andon::main {

/// The store of a data directory, opened by this process, and its executor.
class Installation {
 public:
  /// Makes the directory, its store and its administrator's token if they are missing. The place names the
  /// store where it is not that of the directory's settings. Throws `StoreError` or `os::SystemError`.
  Installation(cli::DataDirectory const& place, os::Clock const& clock, std::size_t readers);
  ~Installation();

  os::DataDirectory const& data() const { return data_; }
  api::LocalExecutor& executor() { return *executor_; }
  store::Store& store() { return *store_; }
  /// The clock by which the store's times go.
  os::Clock const& clock() const { return *clock_; }

 private:
  void keep_admin_token();

  os::DataDirectory data_;
  std::unique_ptr<store::Store> store_;
  std::unique_ptr<os::Clock> clock_;
  std::unique_ptr<api::LocalExecutor> executor_;
};

/// The URL of the boards of a data directory: the chosen one, that of its settings, or the database in it.
/// Throws `StoreError` for a directory that was used with a database that is not named now.
std::string store_url(os::DataDirectory const& data, std::string const& chosen);

/// Throws `StoreError` if other users could change or replace something in the data directory.
void refuse_exposed(os::DataDirectory const& data);

/// The wire code for a store that cannot be opened.
core::Code code_of(store::StoreError const& error);

/// An executor that owns its installation, for commands without a server.
std::unique_ptr<api::Executor> open_installation(cli::DataDirectory const& place, os::Clock const& clock);

/// An executor on a directory that is a board of Markdown files. Its warnings go to stderr.
std::unique_ptr<api::Executor> open_board(std::filesystem::path const& root, os::Clock const& clock);

/// An executor on an empty store in memory.
std::unique_ptr<api::Executor> open_nothing(os::Clock const& clock);

}  // namespace andon::main
