#include "store/postgres/session/store_lock.hpp"

namespace andon::store::postgres {

Statement const& lock_store() {
  static Statement const statement{
      "lock the store",
      "SELECT pg_advisory_xact_lock(1634624623, to_regnamespace(current_schema())::oid::int)"};
  return statement;
}

Statement const& raise_turn() {
  static Statement const statement{"raise the turn", "SELECT nextval('turn')"};
  return statement;
}

}  // namespace andon::store::postgres
