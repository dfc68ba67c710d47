#include "reflect/text.hpp"
#include "store/sql/session/answers.hpp"
#include "store/sql/session/count_rows.hpp"
#include "store/sql/session/sql_session.hpp"

namespace andon::store::sql {
namespace {

using engine::Counting;

Query const kStaleCount{"tally_stale_count"};
Query const kTallySettled{"tally_settled"};
Query const kMoveTotals{"move_totals"};
Query const kFinishedTotals{"finished_totals"};
Query const kSpreads{"spread_totals"};
Query const kRunTotals{"run_totals"};
Query const kOfFacet{"tally_of_facet"};
Query const kDueOfFacet{"tally_due_of_facet"};

bool do_tasks_wait(Connection& db, std::int64_t least) {
  auto row = db.query(kStaleCount, least);
  return row.step() && row.integer(0) == least;
}

}  // namespace

void answer(Connection& db, engine::AskMoveTotals const& ask, engine::Statistics& out) {
  for (auto row = db.query(kMoveTotals, ask.board, ask.from); row.step();) {
    auto& total = out.move_totals.emplace_back(
        MoveTotal{row.instant(0), {}, row.text(2), row.text(3), row.text(4), row.integer(5)});
    reflect::TextForm<core::EventKind>::read(row.view(1), total.kind);
  }
}

void answer(Connection& db, engine::AskFinishedTotals const& ask, engine::Statistics& out) {
  using core::Duration;
  for (auto row = db.query(kFinishedTotals, ask.board, ask.from); row.step();)
    out.finished_totals.push_back({row.instant(0), row.text(1), row.text(2), row.integer(3),
                                   Duration{row.integer(4)}, row.integer(5), Duration{row.integer(6)},
                                   Duration{row.integer(7)}});
}

void answer(Connection& db, engine::AskSpreads const& ask, engine::Statistics& out) {
  for (auto row = db.query(kSpreads, ask.board, ask.first_day); row.step();)
    out.spreads.push_back({row.view(0) == "cycle", static_cast<int>(row.integer(1)), row.integer(2)});
}

void answer(Connection& db, engine::AskRunTotals const& ask, engine::Statistics& out) {
  for (auto row = db.query(kRunTotals, ask.board, ask.from); row.step();) {
    core::Usage const usage{row.integer(4), row.integer(5), row.integer(6),
                            row.integer(7), row.integer(8), row.real(9)};
    out.run_totals.push_back({row.text(0), row.integer(1), row.integer(2), core::Duration{row.integer(3)},
                              usage, row.integer(10), row.integer(11)});
  }
}

void answer(Connection& db, engine::AskTallies const& ask, engine::Statistics& out) {
  std::optional<engine::TallyValue> last;
  std::size_t values = 0;
  for (auto row = db.query(kOfFacet, ask.board, name_of(ask.facet)); row.step();) {
    auto value = tally_value_in(row, 0);
    if (last != value && ++values > ask.most) {
      out.tallies_end = std::move(value);
      break;
    }
    auto const status = row.text(1);
    out.tallies[{value, status}] = {status, engine::text_of(value), row.integer(2), row.integer(3), 0};
    last = std::move(value);
  }
  for (auto row = db.query(kDueOfFacet, ask.board, name_of(ask.facet), ask.today); row.step();) {
    auto const found = out.tallies.find({tally_value_in(row, 0), row.text(1)});
    if (found != out.tallies.end()) found->second.overdue = row.integer(2);
  }
}

engine::Uncounted SqlSession::uncounted(engine::UncountedRequest const& request) {
  engine::Uncounted out;
  auto const least = request.least;
  out.is_enough = least == 0 || do_tasks_wait(db_, least) || request.until - settled(db_).seq >= least;
  if (!out.is_enough) return out;
  if (request.parts != Counting::tallies) {
    out.moves = read_moves(db_, settled(db_).seq, request.until);
    out.finished = read_changed_finished(db_);
  }
  if (request.parts != Counting::flow) out.tallied = read_changed_tallied(db_);
  return out;
}

void SqlSession::write(engine::CountChanges const& changes) {
  add_to_totals(db_, changes.flow);
  add_to_tallies(db_, changes.tallies);
  if (!changes.counted_until) return;
  auto to = settled(db_);
  to.seq = *changes.counted_until;
  set_settled(db_, to);
  db_.run(kTallySettled);
}

}  // namespace andon::store::sql
