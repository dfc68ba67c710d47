#include "store/sql/session/answers.hpp"
#include "store/sql/session/list_filter.hpp"
#include "store/sql/session/sql_session.hpp"
#include "store/sql/session/tasks_in_order.hpp"

namespace andon::store::sql {
namespace {

Query const kListCount{"list_count"};

}  // namespace

core::Result<engine::ListRows> SqlSession::list(engine::ListRequest const& request) {
  auto const& page = request.page;
  SortKey after;
  if (!page.cursor.empty()) {
    ANDON_TRY(after, parse_cursor(page.order, page.cursor));
  }
  engine::ListRows out;
  auto const next = tasks_in_order(db_, request.filter, request.boards, page.order, after, page.reverse);
  SortKey last;
  std::vector<core::TaskId> ids;
  for (std::size_t passed_over = 0; auto passed = next();) {
    if (passed->fits && ids.size() == page.limit) {  // so there is a next page
      if (!ids.empty()) out.next = cursor_of(page.order, last);
      break;
    }
    last = std::move(passed->key);
    if (passed->fits) {
      ids.push_back(passed->id);
    } else if (++passed_over == page.most_passed_over) {
      out.next = cursor_of(page.order, last);
      break;
    }
  }
  out.rows = tasks({.ids = ids});
  if (out.rows.size() != ids.size()) db_.fail_as_damaged("an index names a task that is not there");
  return out;
}

void answer(Connection& db, engine::AskCount const& ask, engine::Statistics& out) {
  auto row = db.assembled(db.text(kListCount) + conditions_of(db, ask.filter));
  bind_filter(row, ask.filter);
  if (row.step()) out.count = row.integer(0);
}

}  // namespace andon::store::sql
