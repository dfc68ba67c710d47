#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "cli/command_line/named_commands.hpp"
#include "core/text/names.hpp"

namespace andon::cli {
namespace {

using core::Result;
using core::Stage;

struct Meaning {
  std::string_view name;  ///< as `core::folded` makes it
  Stage stage;
};
constexpr std::array kMeanings{
    Meaning{"backlog", Stage::backlog},   Meaning{"ideas", Stage::backlog},
    Meaning{"icebox", Stage::backlog},    Meaning{"pending", Stage::backlog},
    Meaning{"inbox", Stage::backlog},     Meaning{"todo", Stage::ready},
    Meaning{"ready", Stage::ready},       Meaning{"next", Stage::ready},
    Meaning{"queue", Stage::ready},       Meaning{"claimed", Stage::claimed},
    Meaning{"inprogress", Stage::active}, Meaning{"doing", Stage::active},
    Meaning{"active", Stage::active},     Meaning{"wip", Stage::active},
    Meaning{"review", Stage::review},     Meaning{"needsreview", Stage::review},
    Meaning{"inreview", Stage::review},   Meaning{"blocked", Stage::blocked},
    Meaning{"failed", Stage::failed},     Meaning{"done", Stage::done},
    Meaning{"completed", Stage::done},    Meaning{"closed", Stage::done},
    Meaning{"finished", Stage::done},     Meaning{"archived", Stage::archived},
};

std::optional<Stage> meaning_of(std::string_view name) {
  auto const found = std::ranges::find(kMeanings, core::folded(name), &Meaning::name);
  return found == kMeanings.end() ? std::nullopt : std::optional{found->stage};
}

Result<int> limit_of(std::string_view text, std::string const& status) {
  int limit = 0;
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), limit);
  if (error == std::errc{} && end == text.data() + text.size() && limit >= 0) return limit;
  return core::refuse(core::Code::kInvalidInput, "the limit in \"" + status + "\" is not a number",
                      "statuses");
}

}  // namespace

Result<std::vector<core::Column>> columns_from(std::vector<std::string> const& statuses) {
  std::vector<core::Column> out;
  for (auto const& status : statuses) {
    auto const colon = status.find(':');
    core::Column column;
    column.name = status.substr(0, colon);
    column.title = column.name;
    if (colon != std::string::npos)
      ANDON_SET(column.wip_limit, limit_of(std::string_view{status}.substr(colon + 1), status));
    bool const is_first = out.empty(), is_last = out.size() + 1 == statuses.size();
    column.stage = meaning_of(column.name)
                       .value_or(is_first  ? Stage::ready
                                 : is_last ? Stage::done
                                           : Stage::active);
    out.push_back(std::move(column));
  }
  return out;
}

}  // namespace andon::cli
