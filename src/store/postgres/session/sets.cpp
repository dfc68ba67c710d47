#include <algorithm>
#include <limits>
#include <map>

#include "store/postgres/session/postgres_session.hpp"
#include "store/sql/database/row_columns.hpp"
#include "store/sql/rows/task_row.hpp"

// Reads of many tasks at once, each in one round trip.
namespace andon::store::postgres {
namespace {

using engine::Links;
using engine::TaskRow;

sql::Query const kTasksByIds{"tasks_by_ids"};
sql::Query const kLinksOf{"links_of"};

enum class Relation { dependent, child, progress, review };

int const kBody = static_cast<int>(std::ranges::count(sql::kTaskColumns, ',')) + 1;
int const kBodyLength = kBody + 1;

std::string array_of(std::vector<core::TaskId> const& ids) {
  std::string out = "{";
  for (auto const id : ids) out += (out.size() > 1 ? "," : "") + std::to_string(std::int64_t{id});
  return out + "}";
}

std::int64_t bound(std::size_t most) {
  return static_cast<std::int64_t>(std::min<std::size_t>(most, std::numeric_limits<std::int64_t>::max()));
}

void add(Links& links, sql::Statement const& row) {
  core::TaskId const other{row.integer(2)};
  switch (static_cast<Relation>(row.integer(0))) {
    case Relation::dependent: links.dependents.push_back(other); break;
    case Relation::child: links.children.push_back(other); break;
    case Relation::progress: links.progress = core::Progress{row.integer(2), row.integer(3)}; break;
    case Relation::review: links.open_review = other; break;
  }
}

}  // namespace

std::vector<TaskRow> PostgresSession::tasks(engine::TasksQuery const& query) {
  std::map<core::TaskId, TaskRow> found;
  auto const longest = bound(query.longest_body);
  for (auto row = db_.query(kTasksByIds, array_of(query.ids), query.with_bodies, longest); row.step();) {
    if (row.integer(kBodyLength) > longest) continue;
    auto task = sql::row_in(row);
    task.task.body = row.text(kBody);
    found.emplace(task.task.id, std::move(task));
  }
  std::vector<TaskRow> out;
  out.reserve(found.size());
  for (auto const id : query.ids)
    if (auto const one = found.find(id); one != found.end()) out.push_back(one->second);
  return out;
}

std::vector<Links> PostgresSession::links(engine::LinksQuery const& query) {
  if (query.levels > 0) return SqlSession::links(query);
  std::map<core::TaskId, Links> found;
  for (auto row = db_.query(kLinksOf, array_of(query.tasks), query.dependents, query.children, query.progress,
                            query.open_review, bound(query.most));
       row.step();)
    add(found[core::TaskId{row.integer(1)}], row);
  std::vector<Links> out;
  for (auto const id : query.tasks) {
    auto& links = out.emplace_back(found[id]);
    std::ranges::sort(links.dependents);
    std::ranges::sort(links.children);
  }
  return out;
}

}  // namespace andon::store::postgres
