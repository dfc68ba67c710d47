#include "store/postgres/session/cursor.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "core/text/ascii.hpp"
#include "store/postgres/session/sql_connection.hpp"

namespace andon::store::postgres {
namespace {

/// The words with which statements begin that return no rows.
constexpr std::array<std::string_view, 8> kSilent{"INSERT ", "UPDATE ",  "DELETE ",    "BEGIN",
                                                  "COMMIT",  "ROLLBACK", "SAVEPOINT ", "RELEASE "};

bool is_silent(std::string_view text) {
  return std::ranges::any_of(kSilent, [&](auto word) { return text.starts_with(word); }) &&
         !text.contains("RETURNING");
}

/// Statements without a bound whose readers stop early, or whose rows may be very many. Those that are
/// assembled at run time are told by their text.
constexpr std::array<std::string_view, 8> kUnbounded{"events_walk",    "events_walk_back", "flow_events",
                                                     "flow_tasks",     "tally_tasks",      "pick_due_now",
                                                     "column_changes", "retries_after"};
constexpr int kFirstPart = 64;
constexpr int kNextPart = 1000;

bool is_unbounded(std::string_view name, std::string_view text) {
  if (name != kAssembled) return std::ranges::find(kUnbounded, name) != kUnbounded.end();
  return text.starts_with("SELECT") && text.contains("ORDER BY") && !text.contains("LIMIT");
}

/// The number of the parameter that begins at `$`; 0 where none does.
int parameter_at(std::string_view text, std::size_t dollar, std::size_t& end) {
  int number = 0;
  auto const read = std::from_chars(text.data() + dollar + 1, text.data() + text.size(), number);
  end = static_cast<std::size_t>(read.ptr - text.data());
  return number;
}

}  // namespace

Numbered numbered(std::string const& text) {
  Numbered out;
  std::size_t copied = 0;
  for (auto at = text.find('$'); at != std::string::npos; at = text.find('$', at + 1)) {
    std::size_t end = at;
    auto const number = static_cast<std::size_t>(parameter_at(text, at, end));
    if (number == 0) continue;
    if (out.places.size() <= number) out.places.resize(number + 1);
    auto& place = out.places[number];
    if (place == 0) place = ++out.count;
    out.text.append(text, copied, at - copied).append("$" + std::to_string(place));
    copied = end;
  }
  out.text.append(text, copied);
  return out;
}

PostgresCursor::PostgresCursor(SqlConnection& db, CursorPool& pool, std::string const& name,
                               std::string const& text)
    : db_(db), pool_(pool), returns_rows_(!is_silent(text)), set_(set_kind_of(name)) {
  auto out = numbered(text);
  statement_ = {name, std::move(out.text), text.starts_with("COMMIT")};
  if (is_unbounded(name, text)) portal_ = "andon_rows_" + std::to_string(db.next_portal());
  places_ = std::move(out.places);
  values_.resize(static_cast<std::size_t>(out.count));
}

void PostgresCursor::bind_real(int parameter, double value) {
  std::array<char, 32> text{};
  auto const written = std::to_chars(text.data(), text.data() + text.size(), value);
  set(parameter, std::string{text.data(), written.ptr});
}

void PostgresCursor::set(int parameter, std::optional<std::string> value) {
  auto const at = static_cast<std::size_t>(parameter);
  if (at < places_.size() && places_[at] != 0)
    values_[static_cast<std::size_t>(places_[at]) - 1] = std::move(value);
}

bool PostgresCursor::step() {
  if (!std::exchange(has_run_, true)) run();
  if (++at_ < rows_.size()) return true;
  if (fetched_ == 0 || rows_.size() < fetched_) return false;
  fetch();
  at_ = 0;
  return !rows_.empty();
}

void PostgresCursor::run() {
  if (set_) return db_.defer(*set_, values_);
  Parameters parameters;
  for (auto const& value : values_) parameters.add_untyped(value);
  if (!returns_rows_) return db_.queue(statement_, parameters);
  if (portal_.empty() || !db_.is_inside_transaction()) {
    rows_ = db_.ask(statement_, parameters);
    return;
  }
  db_.queue({statement_.name, "DECLARE " + portal_ + " NO SCROLL CURSOR FOR " + statement_.text}, parameters);
  fetch();
}

void PostgresCursor::fetch() {
  fetched_ = fetched_ == 0 ? kFirstPart : kNextPart;
  rows_ = db_.ask({statement_.name, "FETCH " + std::to_string(fetched_) + " FROM " + portal_}, {});
}

/// Like SQLite, which reads a null as 0 and as the empty text.
std::int64_t PostgresCursor::integer(int column) const {
  if (is_null(column)) return 0;
  return row().is_boolean(column) ? row().boolean(column) : row().integer(column);
}

std::string_view PostgresCursor::view(int column) const {
  return is_null(column) ? std::string_view{} : row().view(column);
}

void PostgresCursor::give_back() {
  if (std::exchange(fetched_, 0) > 0) db_.close_portal(portal_);
  std::ranges::fill(values_, std::nullopt);
  rows_ = {};
  at_ = -1;
  has_run_ = false;
  --pool_.lent;
  pool_.idle.emplace_back(this);
}

}  // namespace andon::store::postgres
