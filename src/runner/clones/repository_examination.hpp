#pragma once

#include "core/error.hpp"
#include "os/data/data_directory.hpp"
#include "runner/git/git.hpp"
#include "service/boards/examined_repository.hpp"

namespace andon::runner {

/// Examines a repository before a board works in it. It changes nothing there and starts none of its
/// programs. Each call of git has the limit of `use`; after one exceeds it, the other traits stay unknown.
core::Result<service::ExaminedRepository> examine_repository(service::ExamineRepositoryRequest const& request,
                                                             os::DataDirectory const& data,
                                                             GitUse const& use);

}  // namespace andon::runner
