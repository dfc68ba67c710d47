#include "service/chain.hpp"

#include <algorithm>

#include "core/names.hpp"
#include "service/create.hpp"

namespace andon::service {
namespace {

constexpr int kDeepest = 5;
constexpr std::size_t kTitleBytes = 500;
constexpr std::size_t kBodyBytes = 1'048'576;

std::string joined(std::vector<std::string> const& words) {
  std::string out;
  for (auto const& word : words) out += (out.empty() ? "" : " ") + word;
  return out;
}

std::optional<std::string> value_of(std::string_view name, core::Task const& parent,
                                    std::optional<core::Run> const& run) {
  if (name == "parent.id") return std::to_string(parent.id);
  if (name == "parent.key") return parent.key.empty() ? "#" + std::to_string(parent.id) : parent.key;
  if (name == "parent.title") return parent.title;
  if (name == "parent.result") return parent.result;
  if (name == "parent.branch") return run ? run->branch : "";
  if (name == "parent.commits") return run ? joined(run->commits) : "";
  return std::nullopt;
}

std::vector<core::NextTask> chain_of(core::Task const& task, core::Board const& board) {
  if (!task.next_tasks.empty()) return task.next_tasks;
  std::vector<core::NextTask> out;
  for (auto const& rule : board.chains)
    if (rule.role.empty() || rule.role == task.role) out.push_back(rule.next);
  return out;
}

/// What was filled in may hold anything: a title it spoils falls back to the template's own words.
std::string title_of(core::NextTask const& next, core::Task const& parent,
                     std::optional<core::Run> const& run) {
  auto text = expand(next.title, parent, run);
  std::ranges::replace_if(text, [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
  if (auto title = check_title(std::string{core::beginning(text, kTitleBytes)})) return *title;
  return next.title;
}

core::Task child_of(core::Task const& parent, core::Board const& board, core::NextTask const& next,
                    std::optional<core::Run> const& run) {
  core::Task child;
  child.title = title_of(next, parent, run);
  child.body = expand(next.body, parent, run);
  child.board = board.name;
  child.role = next.role;
  child.assignee = next.assignee;
  child.priority = next.priority.empty() ? board.default_priority : next.priority;
  child.class_ = next.class_;
  child.tags = next.tags;
  child.parent = parent.id;
  child.next_tasks = next.next_tasks;
  if (next.review == "none") child.review = core::ReviewRule::none;
  if (next.review == "required") child.review = core::ReviewRule::required;
  child.source = "chain";
  child.approved = true;
  child.state.depth = parent.state.depth + 1;
  return child;
}

}  // namespace

std::string expand(std::string_view text, core::Task const& parent, std::optional<core::Run> const& run) {
  std::string out;
  while (!text.empty()) {
    auto const open = text.find("{{");
    auto const close = text.find("}}", open);
    if (open == std::string_view::npos || close == std::string_view::npos) break;
    out += text.substr(0, open);
    auto name = text.substr(open + 2, close - open - 2);
    while (name.starts_with(' ')) name.remove_prefix(1);
    while (name.ends_with(' ')) name.remove_suffix(1);
    auto const value = value_of(name, parent, run);
    out += value ? *value : std::string{text.substr(open, close + 2 - open)};
    if (out.size() > kBodyBytes) return std::string{core::beginning(out, kBodyBytes)};
    text.remove_prefix(close + 2);
  }
  out += text;
  return std::string{core::beginning(out, kBodyBytes)};
}

void fire_chain(Unit& u, core::Task const& parent, core::Board const& board) {
  auto const chain = chain_of(parent, board);
  if (chain.empty() || parent.state.chained) return;
  auto marked = parent;
  marked.state.chained = true;
  u.tx.put(marked);
  if (parent.state.depth >= kDeepest) {
    core::Event event;
    event.kind = core::EventKind::limit_reached;
    event.board = board.name;
    event.task = parent.id;
    return tell(u, std::move(event), {{"limit", "chain_depth"}, {"most", std::to_string(kDeepest)}});
  }
  auto const run = parent.run ? u.tx.run(*parent.run) : std::nullopt;
  for (auto const& next : chain) add_chained(u, board, child_of(parent, board, next, run), next.status);
}

}  // namespace andon::service
