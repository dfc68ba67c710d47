#include "store/sql/session/list_filter.hpp"

#include <algorithm>

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>

#include "core/model/service_class.hpp"
#include "core/text/lower_case.hpp"
#include "core/text/names.hpp"

namespace andon::store::sql {
namespace {

struct Condition {
  bool (*asked)(TaskFilter const&);
  Query text;
};

bool names_archived(TaskFilter const& filter) {
  return std::ranges::find(filter.stages, core::Stage::archived) != filter.stages.end() ||
         std::ranges::any_of(filter.statuses,
                             [](auto const& name) { return core::same_name(name, "archived"); });
}

bool is_standard(TaskFilter const& filter) { return core::same_name(filter.class_, core::kStandard); }

Query const kAnyTask{"where_any"};
Condition const kConditions[] = {
    {[](auto const& f) { return f.board.has_value(); }, Query{"where_board"}},
    {[](auto const& f) { return !f.statuses.empty(); }, Query{"where_statuses"}},
    {[](auto const& f) { return !f.stages.empty(); }, Query{"where_stages"}},
    {[](auto const& f) { return !f.priorities.empty(); }, Query{"where_priorities"}},
    {[](auto const& f) { return !f.assignee.empty(); }, Query{"where_assignee"}},
    {[](auto const& f) { return !f.role.empty(); }, Query{"where_role"}},
    {[](auto const& f) { return !f.tag.empty(); }, Query{"where_tag"}},
    {[](auto const& f) { return !f.class_.empty() && !is_standard(f); }, Query{"where_class"}},
    {[](auto const& f) { return is_standard(f); }, Query{"where_standard_class"}},
    {[](auto const& f) { return !f.claimed_by.empty(); }, Query{"where_claimed_by"}},
    {[](auto const& f) { return !f.text.empty(); }, Query{"where_text"}},
    {[](auto const& f) { return f.parent.has_value(); }, Query{"where_parent"}},
    {[](auto const& f) { return f.claimed == true; }, Query{"where_claimed"}},
    {[](auto const& f) { return f.claimed == false; }, Query{"where_unclaimed"}},
    {[](auto const& f) { return f.blocked.has_value(); }, Query{"where_blocked"}},
    {[](auto const& f) { return f.open_deps.has_value(); }, Query{"where_open_deps"}},
    {[](auto const& f) { return !shows_archived(f); }, Query{"where_not_archived"}},
};

template <class List, class Text>
std::string json_list(List const& list, Text text) {
  boost::json::array out;
  for (auto const& item : list) out.emplace_back(text(item));
  return boost::json::serialize(out);
}

}  // namespace

bool shows_archived(TaskFilter const& filter) { return filter.archived || names_archived(filter); }

std::string conditions_of(Connection const& db, TaskFilter const& filter) {
  std::string out = db.text(kAnyTask);
  for (auto const& [asked, text] : kConditions)
    if (asked(filter)) out += db.text(text);
  return out;
}

void bind_filter(Statement& statement, TaskFilter const& filter) {
  auto const same = [](auto const& text) -> auto const& { return text; };
  auto const stage = [](core::Stage s) { return core::to_text(s); };
  statement.bind_all(filter.board, json_list(filter.statuses, same), json_list(filter.stages, stage),
                     json_list(filter.priorities, same), filter.assignee, filter.role, filter.tag,
                     filter.class_, filter.claimed_by, core::lower_case(filter.text), filter.parent,
                     filter.now, filter.blocked, filter.open_deps);
}

}  // namespace andon::store::sql
