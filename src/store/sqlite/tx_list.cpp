#include "store/sqlite/list_filter.hpp"
#include "store/sqlite/list_order.hpp"
#include "store/sqlite/transaction.hpp"

namespace andon::store::sqlite {
namespace {

Query const kSelect{"list_select"};
Query const kCount{"list_count"};
constexpr int kFirstOfCursor = 20;  // parameters from here on are the cursor's, the last is the limit
constexpr int kLimit = 30;

std::string parameter(std::size_t number) { return "$" + std::to_string(number); }

template <class Names>
std::string joined(Names const& names, std::string_view end) {
  std::string out;
  for (auto const& name : names) out.append(out.empty() ? "" : ", ").append(name).append(end);
  return out;
}

std::string list_text(TaskFilter const& filter, Page const& page) {
  auto const terms = order_terms(page.order);
  auto sql = kSelect.text() + conditions_of(filter);
  if (!page.cursor.empty()) {
    std::vector<std::string> values;
    for (std::size_t i = 0; i < terms.size(); ++i) values.push_back(parameter(kFirstOfCursor + i));
    sql +=
        "AND (" + joined(terms, "") + ") " + (page.reverse ? "<" : ">") + " (" + joined(values, "") + ")\n";
  }
  return sql + "ORDER BY " + joined(terms, page.reverse ? " DESC" : "") + " LIMIT " + parameter(kLimit);
}

}  // namespace

core::Result<TaskPage> Transaction::list(TaskFilter const& filter, Page const& page) {
  if (page.cursor.empty()) see_all();
  SortKey after;
  if (!page.cursor.empty()) {
    ANDON_TRY(after, parse_cursor(page.order, page.cursor));
  }
  auto row = db_.assembled(list_text(filter, page));
  bind_filter(row, filter);
  for (int parameter = kFirstOfCursor; auto const& value : after)
    std::visit([&](auto const& v) { row.bind(parameter++, v); }, value);
  row.bind(kLimit, page.limit + 1);  // one more tells whether there is a next page

  TaskPage out;
  while (row.step()) {
    if (out.tasks.size() == page.limit) {
      if (out.tasks.empty()) break;
      auto const& last = out.tasks.back();
      auto const derived = derive(board_named(last), last, is_worker(last.assignee));
      out.next = cursor_of(page.order, sort_key(page.order, last, derived));
      break;
    }
    auto& task = out.tasks.emplace_back(read(row));
    if (places_ && page.with_files) task.file = places_->seen_file_of(db_, board_named(task), task.id);
  }
  return out;
}

std::int64_t Transaction::count(TaskFilter const& filter) {
  see_all();
  auto row = db_.assembled(kCount.text() + conditions_of(filter));
  bind_filter(row, filter);
  return row.step() ? row.integer(0) : 0;
}

}  // namespace andon::store::sqlite
