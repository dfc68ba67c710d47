#include "cli/views/frozen_view.hpp"

#include "cli/command_line/safe_text.hpp"

namespace andon::cli {
namespace {

void add(std::string& list, std::string_view kind, std::vector<std::string> const& names) {
  for (auto const& name : names)
    list += (list.empty() ? "" : ", ") + std::string{kind} + " " + one_line(name);
}

}  // namespace

std::string frozen_line(service::Frozen const& frozen, Screen const&) {
  if (frozen.everything) return "All agents stand still\n";
  std::string list;
  add(list, "board", frozen.boards);
  add(list, "worker", frozen.workers);
  return list.empty() ? "No agent stands still\n" : "The agents of these stand still: " + list + "\n";
}

}  // namespace andon::cli
