#pragma once

#include <string>

#include "cli/command_line/screen.hpp"
#include "service/tasks/attachments.hpp"

namespace andon::cli {

std::string attachment_list(service::Attachments const& files, Screen const& screen);

}  // namespace andon::cli
