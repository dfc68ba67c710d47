#include "store/sql/rows/token_row.hpp"

#include "reflect/text.hpp"
#include "store/contract/store_error.hpp"

namespace andon::store::sql {
namespace {

using TokenKindForm = reflect::TextForm<core::TokenKind>;

/// A credential of a kind that this program does not know must not be taken for one with more rights.
core::TokenKind kind_in(std::string_view text) {
  core::TokenKind kind{};
  if (TokenKindForm::read(text, kind)) return kind;
  throw StoreError{StoreError::Kind::damaged, "a kept credential has the unknown kind \"" +
                                                  std::string{text} +
                                                  "\"; stop the server and run `andon doctor`"};
}

}  // namespace

Token token_in(Statement const& row) {
  Token token;
  token.id = core::TokenId{row.integer(0)};
  token.hash = row.text(1);
  token.kind = kind_in(row.view(2));
  token.name = row.text(3);
  token.run = core::RunId{row.integer(4)};
  token.task = core::TaskId{row.integer(5)};
  token.epoch = core::Epoch{row.integer(6)};
  token.board = row.text(7);
  token.created = row.instant(8);
  token.expires = row.maybe_instant(9);
  token.revoked = row.maybe_instant(10);
  token.label = row.text(11);
  return token;
}

void bind_token(Statement& statement, Token const& token) {
  statement.bind_all(token.id, nullptr, TokenKindForm::write(token.kind), token.name, token.run, token.task,
                     token.epoch, token.board, token.created, token.expires, token.revoked, token.label);
  statement.bind(2, token.hash);
}

}  // namespace andon::store::sql
