#pragma once

#include <string>

#include "cli/command_line/screen.hpp"
#include "service/insight/attention.hpp"
#include "service/insight/why.hpp"
#include "service/limits/accounts.hpp"
#include "service/limits/faults.hpp"
#include "service/tasks/copies.hpp"

namespace andon::cli {

/// Why no agent works on a task, one reason to a line.
std::string why_page(service::DispatchBlockers const& why, Screen const& screen);
/// A line for each thing that waits for a person.
std::string attention_list(service::AttentionList const& list, Screen const& screen);
/// A line for each pair of tasks that look alike.
std::string copy_list(service::SuspectedCopies const& copies, Screen const& screen);
std::string fault_list(service::Faults const& faults, Screen const& screen);
std::string account_list(service::Accounts const& accounts, Screen const& screen);

}  // namespace andon::cli
