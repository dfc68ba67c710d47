#include "store/engine/driver.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::store::engine {

std::optional<Token> Unit::token(std::string_view hash) {
  auto found = records({.kind = RecordsQuery::Kind::token, .key = std::string{hash}}).tokens;
  return found.empty() ? std::nullopt : std::optional{std::move(found.front())};
}

std::optional<Token> Unit::token_beginning_with(std::string_view digits) {
  auto found =
      records({.kind = RecordsQuery::Kind::token_beginning, .key = std::string{digits}, .most = 1}).tokens;
  return found.empty() ? std::nullopt : std::optional{std::move(found.front())};
}

std::vector<Token> Unit::tokens(core::TokenId after, std::size_t limit) {
  return records({.kind = RecordsQuery::Kind::tokens, .number = after, .most = limit}).tokens;
}

std::vector<Token> Unit::tokens_of_run(core::RunId run) {
  return records({.kind = RecordsQuery::Kind::tokens_of_run, .number = run}).tokens;
}

core::TokenId Unit::add(Token token) {
  before_write();
  token.id = core::TokenId{++numbers_->token};
  put(token);
  return token.id;
}

void Unit::put(Token const& token) {
  before_write();
  session_.write({.records = {.tokens = {token}}});
}

std::optional<Remembered> Unit::remembered(std::string_view key) {
  auto found = records({.kind = RecordsQuery::Kind::remembered, .key = std::string{key}}).remembered;
  return found.empty() ? std::nullopt : std::optional{std::move(found.front().second)};
}

void Unit::remember(std::string_view key, Remembered const& answer) {
  before_write();
  session_.write({.records = {.remembered = {{std::string{key}, answer}}}});
}

std::optional<std::string> Unit::setting(std::string_view name) {
  signals_.interest.settings.emplace_back(name);
  auto found = records({.kind = RecordsQuery::Kind::setting, .key = std::string{name}}).settings;
  return found.empty() ? std::nullopt : std::optional{std::move(found.front().second)};
}

void Unit::set_setting(std::string_view name, std::string_view value) {
  before_write();
  session_.write({.records = {.settings = {{std::string{name}, std::string{value}}}}});
  signals_.changes.set(name);
}

std::vector<std::pair<std::string, std::string>> Unit::settings() {
  return records({.kind = RecordsQuery::Kind::settings}).settings;
}

}  // namespace andon::store::engine
