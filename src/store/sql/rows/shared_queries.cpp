#include "store/sql/rows/shared_queries.hpp"

namespace andon::store::sql {
namespace {

Query const kLastSeq{"event_last_seq"};
Query const kIncarnation{"incarnation"};

}  // namespace

std::int64_t number(Connection& db, Query const& query) {
  auto row = db.query(query);
  return row.step() ? row.integer(0) : 0;
}

core::EventSeq last_seq(Connection& db) { return core::EventSeq{number(db, kLastSeq)}; }

std::string incarnation_of(Connection& db) {
  auto row = db.query(kIncarnation);
  return row.step() ? row.text(0) : std::string{};
}

}  // namespace andon::store::sql
