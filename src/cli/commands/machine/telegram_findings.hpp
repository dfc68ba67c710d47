#pragma once

#include <vector>

#include "os/data/data_directory.hpp"
#include "store/contract/examination.hpp"

namespace andon::cli {

/// The findings about the bridge to Telegram, as the last server left them; none where it is not set up.
std::vector<store::Finding> telegram_findings(os::DataDirectory const& data);

}  // namespace andon::cli
