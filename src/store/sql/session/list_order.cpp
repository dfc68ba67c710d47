#include "store/sql/session/list_order.hpp"

#include <array>
#include <limits>

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>

#include "core/text/hex.hpp"
#include "reflect/json.hpp"

namespace andon::store::sql {
namespace {

namespace json = boost::json;
using enum TaskOrder;

struct OrderRow {
  TaskOrder order;
  Query terms;
  std::string_view types;  ///< of the sort key: i for an integer, t for a text
};

std::array<OrderRow, 8> const kOrders{{{id, Query{"order_id"}, "i"},
                                       {title, Query{"order_title"}, "ti"},
                                       {status, Query{"order_status"}, "iti"},
                                       {priority, Query{"order_priority"}, "ii"},
                                       {created, Query{"order_created"}, "ii"},
                                       {updated, Query{"order_updated"}, "ii"},
                                       {due, Query{"order_due"}, "ii"},
                                       {pick, Query{"order_pick"}, "iiiti"}}};

OrderRow const& row_of(TaskOrder order) { return kOrders[static_cast<std::size_t>(order)]; }

std::unexpected<core::Error> bad_cursor() {
  return core::refuse(core::Code::kInvalidInput,
                      "this is not a cursor of the asked order; use the one that came with the page before",
                      "cursor");
}

}  // namespace

std::vector<std::string> order_terms(Connection const& db, TaskOrder order) {
  std::vector<std::string> out(1);
  int depth = 0;
  for (char const c : db.text(row_of(order).terms)) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (c == ',' && depth == 0)
      out.emplace_back();
    else if (c != '\n')
      out.back() += c;
  }
  return out;
}

std::string cursor_of(TaskOrder order, SortKey const& key) {
  json::array out{static_cast<std::int64_t>(order)};
  for (auto const& value : key) std::visit([&](auto const& v) { out.emplace_back(v); }, value);
  return core::to_hex(json::serialize(out));
}

core::Result<SortKey> parse_cursor(TaskOrder order, std::string_view cursor) {
  auto const parsed = reflect::parse_json(core::from_hex(cursor).value_or(""));
  auto const& types = row_of(order).types;
  if (!parsed || !parsed->is_array() || parsed->get_array().size() != types.size() + 1) return bad_cursor();
  auto const& values = parsed->get_array();
  if (values[0] != static_cast<std::int64_t>(order)) return bad_cursor();
  SortKey key;
  for (std::size_t i = 0; i < types.size(); ++i) {
    auto const& value = values[i + 1];
    if (types[i] == 'i' && value.is_int64())
      key.emplace_back(value.get_int64());
    else if (types[i] == 't' && value.is_string())
      key.emplace_back(std::string{value.get_string()});
    else
      return bad_cursor();
  }
  return key;
}

}  // namespace andon::store::sql
