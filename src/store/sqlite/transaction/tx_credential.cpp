#include "store/sqlite/rows/token_row.hpp"
#include "store/sqlite/transaction/transaction.hpp"

namespace andon::store::sqlite {
namespace {

Query const kByHash{"token_by_hash"};
Query const kTokens{"tokens"};
Query const kOfRun{"tokens_of_run"};
Query const kTokenAdd{"token_add"};
Query const kTokenPut{"token_put"};
Query const kRemembered{"remembered_by_key"};
Query const kRemember{"remember"};
Query const kSetting{"setting_by_name"};
Query const kSet{"setting_put"};
Query const kSettings{"settings"};

}  // namespace

std::optional<Token> Transaction::token(std::string_view hash) {
  auto row = db_.query(kByHash);
  row.bind(1, hash);
  if (!row.step()) return std::nullopt;
  return token_in(row);
}

std::vector<Token> Transaction::tokens(core::TokenId after, std::size_t limit) {
  std::vector<Token> out;
  for (auto row = db_.query(kTokens, after, limit); row.step();) out.push_back(token_in(row));
  return out;
}

std::vector<Token> Transaction::tokens_of_run(core::RunId run) {
  std::vector<Token> out;
  for (auto row = db_.query(kOfRun, run); row.step();) out.push_back(token_in(row));
  return out;
}

core::TokenId Transaction::add(Token token) {
  before_write();
  token.id = core::TokenId{++numbers_->token};
  auto statement = db_.query(kTokenAdd);
  bind_token(statement, token);
  statement.step();
  return token.id;
}

void Transaction::put(Token const& token) {
  before_write();
  auto statement = db_.query(kTokenPut);
  bind_token(statement, token);
  statement.step();
}

std::optional<Remembered> Transaction::remembered(std::string_view key) {
  auto row = db_.query(kRemembered, key);
  if (!row.step()) return std::nullopt;
  return Remembered{row.text(0), row.text(1), row.instant(2)};
}

void Transaction::remember(std::string_view key, Remembered const& answer) {
  before_write();
  db_.run(kRemember, key, answer.fingerprint, answer.answer, answer.at);
}

std::optional<std::string> Transaction::setting(std::string_view name) {
  interest_.settings.emplace_back(name);
  auto row = db_.query(kSetting, name);
  if (!row.step()) return std::nullopt;
  return row.text(0);
}

void Transaction::set_setting(std::string_view name, std::string_view value) {
  before_write();
  db_.run(kSet, name, value);
  changes_.set(name);
}

std::vector<std::pair<std::string, std::string>> Transaction::settings() {
  std::vector<std::pair<std::string, std::string>> out;
  for (auto row = db_.query(kSettings); row.step();) out.emplace_back(row.text(0), row.text(1));
  return out;
}

}  // namespace andon::store::sqlite
