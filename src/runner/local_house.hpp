#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <string>

#include "runner/launcher.hpp"
#include "runner/profile_book.hpp"
#include "runner/run_keeper.hpp"

namespace andon::runner {

/// The runs of one data directory on this machine.
class LocalHouse : public RunHouse {
 public:
  /// `url` is where agents reach the server; asked anew for every run, since the port may be picked late.
  LocalHouse(os::DataDirectory data, Launcher launcher, std::function<std::string()> url);

  core::Result<os::ProcessId> launch(service::RunBrief const& brief, std::string const& token) override;
  std::optional<os::ProcessId> supervisor_of(core::RunId run) override;
  bool was_prepared(core::RunId run) override;
  bool clear(core::RunId run) override;
  std::optional<service::FinishRunRequest> ending_of(core::RunId run) override;

 private:
  core::Result<LaunchRequest> request_for(service::RunBrief const& brief, std::string const& token);

  os::DataDirectory data_;
  Launcher launcher_;
  ProfileBook book_;
  std::function<std::string()> url_;
  std::map<core::RunId, os::Child> children_;
};

}  // namespace andon::runner
