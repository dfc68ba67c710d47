#include "main/log_level.hpp"

#include "os/processes/log.hpp"

namespace andon::main {

core::Result<void> set_log_level(cli::Invocation& in) {
  auto const name = in.given().value("log-level");
  if (!name) return {};
  auto const level = os::level_named(*name);
  if (!level)
    return core::refuse(core::Code::kInvalidInput,
                        "\"" + *name + "\" is no log level; use debug, info, warning or error", "log-level");
  os::set_log_level(*level);
  return {};
}

}  // namespace andon::main
