#include "cli/commands/machine/telegram_findings.hpp"

#include <filesystem>

#include "api/chat_status.hpp"
#include "os/files/file.hpp"
#include "reflect/json.hpp"

namespace andon::cli {
namespace {

using store::Finding;

constexpr std::size_t kLongest = 64U << 10U;
constexpr char kAbout[] = "telegram";

}  // namespace

std::vector<Finding> telegram_findings(os::DataDirectory const& data) {
  if (!std::filesystem::exists(data.root / "telegram.json")) return {};
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

}  // namespace andon::cli
