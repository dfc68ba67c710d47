#pragma once

#include <string>

namespace andon::store::postgres {

/// One SQL statement with `$1…$n`.
struct Statement {
  std::string name;  ///< for messages
  std::string text;
  bool is_commit = false;  ///< its failure may leave open whether changes were kept
};

/// The statements of transactions. They are queued like others, so that BEGIN travels with what follows.
Statement const& begin_reading();
Statement const& begin_writing();
Statement const& commit();
Statement const& rollback();
Statement const& set_savepoint();
Statement const& roll_back_to_savepoint();

}  // namespace andon::store::postgres
