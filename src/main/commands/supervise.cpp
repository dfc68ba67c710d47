#include "main/commands/supervise.hpp"

#include "http/client/client.hpp"
#include "os/processes/clock.hpp"
#include "os/processes/log.hpp"
#include "os/processes/process.hpp"
#include "os/processes/signals.hpp"
#include "runner/runs/run_files.hpp"
#include "runner/supervision/remote_link.hpp"
#include "runner/supervision/supervise.hpp"

namespace andon::main {

int supervise(std::filesystem::path const& run_dir) {
  os::ignore_write_signals();
  os::hide_memory();
  auto const key = runner::take_key();
  if (key.empty()) return 3;  // the server ended before it recorded this process, so no run begins
  auto const spec = runner::read_spec(runner::RunFiles{run_dir});
  if (!spec) {
    os::log(os::Level::error, spec.error().message);
    return 2;
  }
  os::SystemClock const clock;
  http::ClientTimes const times{std::chrono::seconds{3}, std::chrono::seconds{7}, std::chrono::seconds{7}};
  auto const transport =
      spec->socket.empty() ? http::client_of(spec->url, times) : http::client_of_socket(spec->socket, times);
  runner::RemoteLink link(*spec, *transport, clock);
  return runner::supervise(run_dir, key, link);
}

}  // namespace andon::main
