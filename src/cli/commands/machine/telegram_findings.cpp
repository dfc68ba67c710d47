#include "cli/commands/machine/telegram_findings.hpp"

#include <filesystem>

#include "api/status/chat_status.hpp"
#include "os/files/file.hpp"
#include "reflect/json.hpp"

namespace andon::cli {
namespace {

using store::Finding;

constexpr std::size_t kLongest = 64U << 10U;
constexpr char kAbout[] = "telegram";

/// How the bridge did when a server last wrote it down.
std::vector<Finding> last_status(os::DataDirectory const& data) {
  auto const text = os::read_file_if_there(data.root / "telegram.status", kLongest);
  if (!text) return {{Finding::Kind::fact, kAbout, "set up; no server has used it yet"}};
  auto const status = reflect::read_json<api::ChatStatus>(*text, reflect::Unknown::ignore);
  if (!status)
    return {{Finding::Kind::fault, kAbout, "telegram.status is damaged; the server writes it anew"}};
  std::vector<Finding> out;
  for (auto const& wrong : status->wrong) out.push_back({Finding::Kind::fault, kAbout, wrong});
  if (!out.empty()) return out;
  auto const contact = status->last_contact ? "last contact " + core::to_text(*status->last_contact)
                                            : std::string{"no contact yet"};
  return {{Finding::Kind::fact, kAbout,
           (status->bot.empty() ? std::string{"a bot"} : "@" + status->bot) + ", " + contact + ", " +
               std::to_string(status->waiting) + " messages wait"}};
}

}  // namespace

std::vector<Finding> telegram_findings(os::DataDirectory const& data, Environment const& env) {
  if (!std::filesystem::exists(data.root / "telegram.json")) return {};
  std::vector<Finding> out;
  if (env.bridge_mistakes)
    for (auto& mistake : env.bridge_mistakes(data.root))
      out.push_back({Finding::Kind::fault, kAbout, std::move(mistake)});
  for (auto& each : last_status(data)) out.push_back(std::move(each));
  return out;
}

}  // namespace andon::cli
