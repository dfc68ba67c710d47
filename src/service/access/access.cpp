#include "service/access/access.hpp"

#include <algorithm>
#include <charconv>

#include "service/tasks/kernel/task_rules.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::service {
namespace {

using core::Code;
using core::Result;
using core::TokenKind;

constexpr int kMostTokens = 500;
constexpr core::Duration kCodeLives = std::chrono::minutes{15};
constexpr core::Duration kEndedRunsAreKnownFor = std::chrono::hours{24};

std::unexpected<core::Error> unauthenticated() {
  return core::refuse(Code::kUnauthenticated,
                      "sign in: open the link that `andon open` prints, or send a token");
}

Result<void> check_hash(OperationContext& ctx, std::string const& hash) {
  bool const is_hex = hash.size() == 64 && hash.find_first_not_of("0123456789abcdef") == std::string::npos;
  if (!is_hex) return core::refuse(Code::kInvalidInput, "\"hash\" must be 64 lower-case hex digits", "hash");
  if (!ctx.tx.token(hash)) return {};
  return core::refuse(Code::kInvalidInput,
                      "there is already a credential with this hash; make another secret", "hash");
}

TokenView view(store::Token const& token) {
  return {token.id, token.kind, token.name, token.label, token.created, token.expires, token.revoked};
}

bool is_over(store::Token const& token, core::Instant now) {
  return token.revoked || (token.expires && *token.expires <= now);
}

Principal of_run(store::Token const& token) {
  Principal out;
  out.caller.actor = {core::ActorKind::worker, token.name};
  out.caller.role = Role::run;
  out.caller.source = core::Source::worker;
  out.caller.run = RunScope{token.run, token.task, token.epoch, token.board, token.name};
  out.ended = token.revoked.has_value();
  return out;
}

Principal of_runner(store::Token const& token) {
  Principal out;
  out.caller.actor = {core::ActorKind::runner, token.name};
  out.caller.role = Role::runner;
  out.caller.source = core::Source::runner;
  return out;
}

}  // namespace

Result<SignInCode> offer_sign_in(OperationContext& ctx, SignInCodeRequest const& r) {
  ANDON_CHECK(check_hash(ctx, r.hash));
  store::Token token;
  token.hash = r.hash;
  token.kind = TokenKind::code;
  token.name = ctx.caller.actor.name;
  token.created = ctx.now;
  token.expires = ctx.now + kCodeLives;
  ctx.tx.add(token);
  return SignInCode{*token.expires};
}

bool is_offered(OperationContext& ctx, std::string const& code_hash) {
  auto const code = ctx.tx.token(code_hash);
  return code && code->kind == TokenKind::code && !is_over(*code, ctx.now);
}

Result<void> sign_in(OperationContext& ctx, std::string const& code_hash, std::string const& session_hash,
                     core::Duration lasts) {
  if (!is_offered(ctx, code_hash)) return unauthenticated();
  auto code = ctx.tx.token(code_hash);
  code->revoked = ctx.now;
  ctx.tx.put(*code);
  store::Token session;
  session.hash = session_hash;
  session.kind = TokenKind::session;
  session.name = code->name;
  session.created = ctx.now;
  session.expires = ctx.now + lasts;
  ctx.changed_credentials.push_back(session_hash);
  ctx.tx.add(std::move(session));
  return {};
}

void sign_out(OperationContext& ctx, std::string const& session_hash) {
  auto token = ctx.tx.token(session_hash);
  if (!token || token->kind != TokenKind::session) return;
  token->revoked = ctx.now;
  ctx.tx.put(*token);
  ctx.changed_credentials.push_back(session_hash);
}

Result<Principal> principal_of(OperationContext& ctx, std::string const& token_hash) {
  auto const token = ctx.tx.token(token_hash);
  if (!token || token->kind == TokenKind::code) return unauthenticated();
  Principal out;
  if (token->kind == TokenKind::run) {
    if (token->revoked && *token->revoked + kEndedRunsAreKnownFor <= ctx.now) return unauthenticated();
    out = of_run(*token);
    auto const* worker = ctx.tx.worker(token->name);
    out.caller.run->asks = worker && worker->permissions == core::Permissions::ask;
  } else {
    if (is_over(*token, ctx.now)) return unauthenticated();
    if (token->kind == TokenKind::runner) return of_runner(*token);
    out.caller.actor = {core::ActorKind::user, token->name};
    // The sign-in link is made by the administrator for the administrator's own browser.
    out.caller.role = token->kind == TokenKind::person ? Role::person : Role::admin;
    out.caller.source = token->kind == TokenKind::session ? core::Source::web : core::Source::api;
  }
  out.expires = token->expires;
  return out;
}

Result<Tokens> list_tokens(OperationContext& ctx, ListTokensRequest const& r) {
  auto const limit = r.limit.value_or(kMostTokens);
  if (limit < 1 || limit > kMostTokens)
    return core::refuse(Code::kInvalidInput, "\"limit\" must be from 1 to 500", "limit");
  std::int64_t after = 0;
  auto const* end = r.cursor.data() + r.cursor.size();
  auto const parsed = std::from_chars(r.cursor.data(), end, after);
  if (!r.cursor.empty() && (parsed.ec != std::errc{} || parsed.ptr != end || after < 0))
    return core::refuse(Code::kInvalidInput, "\"cursor\" is not the \"next\" of a page of tokens", "cursor");
  auto const most = static_cast<std::size_t>(limit);
  auto const tokens = ctx.tx.tokens(core::TokenId{after}, most);
  Tokens out;
  for (auto const& token : tokens)
    if (token.kind != TokenKind::code) out.items.push_back(view(token));
  if (tokens.size() == most && !ctx.tx.tokens(tokens.back().id, 1).empty())
    out.next = std::to_string(tokens.back().id);
  return out;
}

Result<TokenView> revoke_token(OperationContext& ctx, TokenRequest const& r) {
  for (auto& token : ctx.tx.tokens(core::TokenId{std::max<std::int64_t>(r.id, 1) - 1}, 1)) {
    if (token.id != r.id || token.kind == TokenKind::code) continue;
    if (token.kind == TokenKind::runner && !token.revoked)
      return core::refuse(Code::kInvalidInput,
                          "token " + std::to_string(r.id) + " is that of runner \"" + token.name +
                              "\"; use: andon runners revoke " + token.name,
                          "id");
    if (!token.revoked) token.revoked = ctx.now;
    ctx.tx.put(token);
    ctx.changed_credentials.push_back(token.hash);
    return view(token);
  }
  return core::refuse(Code::kNotFound, "there is no token " + std::to_string(r.id), "id");
}

Result<TokenView> create_token(OperationContext& ctx, CreateTokenRequest const& r) {
  ANDON_CHECK(check_hash(ctx, r.hash));
  ANDON_CHECK(check_words({r.name}, "name", 1));
  if (!r.label.empty()) ANDON_CHECK(check_words({r.label}, "label", 1));
  store::Token token;
  token.hash = r.hash;
  token.kind = r.admin ? TokenKind::admin : TokenKind::person;
  token.name = r.name;
  token.label = r.label;
  token.created = ctx.now;
  if (r.lasts) token.expires = ctx.now + *r.lasts;
  token.id = ctx.tx.add(token);
  ctx.changed_credentials.push_back(token.hash);
  return view(token);
}

Result<void> keep_runner_token(OperationContext& ctx, std::string const& name, std::string const& hash) {
  ANDON_CHECK(check_hash(ctx, hash));
  revoke_runner_tokens(ctx, name);
  store::Token token;
  token.hash = hash;
  token.kind = TokenKind::runner;
  token.name = name;
  token.created = ctx.now;
  ctx.tx.add(token);
  ctx.changed_credentials.push_back(hash);
  return {};
}

/// In pages, because a store keeps the tokens of ended runs for a day.
void revoke_runner_tokens(OperationContext& ctx, std::string const& name) {
  for (core::TokenId after = 0;;) {
    auto const page = ctx.tx.tokens(after, kMostTokens);
    for (auto token : page) {
      after = token.id;
      if (token.kind != TokenKind::runner || token.name != name || token.revoked) continue;
      token.revoked = ctx.now;
      ctx.tx.put(token);
      ctx.changed_credentials.push_back(token.hash);
    }
    if (page.size() < static_cast<std::size_t>(kMostTokens)) return;
  }
}

std::optional<std::string> hash_beginning_with(OperationContext& ctx, std::string const& digits) {
  auto token = ctx.tx.token_beginning_with(digits);
  if (!token) return std::nullopt;
  return std::move(token->hash);
}

CredentialState state_of_credential(OperationContext& ctx, std::string const& hash) {
  auto const token = ctx.tx.token(hash);
  if (!token) return CredentialState::unknown;
  return token->revoked ? CredentialState::revoked : CredentialState::known;
}

void add_admin_token(OperationContext& ctx, std::string const& hash) {
  store::Token token;
  token.hash = hash;
  token.kind = core::TokenKind::admin;
  token.name = "admin";
  token.label = "token file of the data directory";
  token.created = ctx.now;
  ctx.tx.add(std::move(token));
}

}  // namespace andon::service
