#pragma once

#include "api/workshop.hpp"
#include "os/data_directory.hpp"
#include "runner/desk.hpp"

namespace andon::runner {

/// The repositories and work trees of this machine.
class LocalWorkshop : public api::Workshop {
 public:
  LocalWorkshop(api::Executor& executor, os::DataDirectory data)
      : desk_(executor, "workshop"), data_(std::move(data)) {}

  core::Result<service::RunDiff> diff(service::DiffQuestion const& question) override;
  core::Result<service::WorkList> list(service::WorkQuestion const& question) override;
  core::Result<service::WorkCleaned> clean(service::CleanQuestion const& question) override;

 private:
  Desk desk_;
  os::DataDirectory data_;
};

}  // namespace andon::runner
