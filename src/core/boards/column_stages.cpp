#include "core/boards/column_stages.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "core/text/names.hpp"

namespace andon::core {
namespace {

struct NamedStage {
  std::string_view name;  ///< as `folded` makes it
  Stage stage;
};
constexpr std::array kNamedStages{
    NamedStage{"review", Stage::review},     NamedStage{"needsreview", Stage::review},
    NamedStage{"blocked", Stage::blocked},   NamedStage{"failed", Stage::failed},
    NamedStage{"inprogress", Stage::active}, NamedStage{"doing", Stage::active},
    NamedStage{"active", Stage::active},
};

}  // namespace

std::size_t terminal_column(std::vector<std::string> const& names) {
  auto const last = names.size() - 1;
  return names.size() > 1 && same_name(names[last], "archived") ? last - 1 : last;
}

Stage stage_by_name(std::vector<std::string> const& names, std::size_t at) {
  auto const name = folded(names[at]);
  if (name == "archived") return Stage::archived;
  if (at == terminal_column(names)) return Stage::done;
  if (at == 0) return Stage::backlog;
  auto const* known = std::ranges::find(kNamedStages, name, &NamedStage::name);
  return known == kNamedStages.end() ? Stage::ready : known->stage;
}

}  // namespace andon::core
