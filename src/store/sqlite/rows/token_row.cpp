#include "store/sqlite/rows/token_row.hpp"

namespace andon::store::sqlite {

Token token_in(Statement const& row) {
  Token token;
  token.id = row.integer(0);
  token.hash = row.text(1);
  token.kind = row.text(2);
  token.name = row.text(3);
  token.run = core::RunId{row.integer(4)};
  token.task = core::TaskId{row.integer(5)};
  token.epoch = row.integer(6);
  token.board = row.text(7);
  token.created = row.instant(8);
  token.expires = row.maybe_instant(9);
  token.revoked = row.maybe_instant(10);
  token.label = row.text(11);
  return token;
}

void bind_token(Statement& statement, Token const& token) {
  statement.bind_all(token.id, nullptr, token.kind, token.name, token.run, token.task, token.epoch,
                     token.board, token.created, token.expires, token.revoked, token.label);
  statement.bind(2, token.hash);
}

}  // namespace andon::store::sqlite
