#pragma once

#include <string>

#include "cli/command_line/screen.hpp"
#include "service/runs/run_brief.hpp"
#include "service/workers/memory.hpp"

namespace andon::cli {

std::string topic_list(service::MemoryTopics const& topics, Screen const& screen);
std::string topic_page(service::MemoryText const& topic, Screen const& screen);
std::string added_line(service::MemoryAdded const& added, Screen const& screen);
/// The very text; what comes apart from it stands before it.
std::string prompt_page(service::Prompt const& prompt, Screen const& screen);

}  // namespace andon::cli
