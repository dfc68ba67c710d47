#include "store/postgres/connection/statement.hpp"

namespace andon::store::postgres {

Statement const& begin_reading() {
  static Statement const statement{"begin to read", "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"};
  return statement;
}

Statement const& begin_writing() {
  static Statement const statement{"begin to write", "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE"};
  return statement;
}

Statement const& commit() {
  static Statement const statement{"commit", "COMMIT", true};
  return statement;
}

Statement const& rollback() {
  static Statement const statement{"roll back", "ROLLBACK"};
  return statement;
}

Statement const& set_savepoint() {
  static Statement const statement{"set a savepoint", "SAVEPOINT mark"};
  return statement;
}

Statement const& roll_back_to_savepoint() {
  static Statement const statement{"roll back to a savepoint", "ROLLBACK TO SAVEPOINT mark"};
  return statement;
}

}  // namespace andon::store::postgres
