#pragma once

#include "service/requests.hpp"

namespace andon::service {

// Credentials. Secrets are made and hashed outside; here only hashes pass.

struct SignInCodeRequest {
  std::string hash;
};
BOOST_DESCRIBE_STRUCT(SignInCodeRequest, (), (hash))
inline constexpr std::array kSignInCodeFields{
    core::Field{"hash", "SHA-256 of the one-time code, in hex", core::required}};
constexpr auto const& fields(SignInCodeRequest const*) { return kSignInCodeFields; }

struct SignInCode {
  core::Instant expires{};
};
BOOST_DESCRIBE_STRUCT(SignInCode, (), (expires))
inline constexpr std::array kSignInCodeAnswerFields{
    core::Field{"expires", "Until when the code can be used", core::always}};
constexpr auto const& fields(SignInCode const*) { return kSignInCodeAnswerFields; }

/// Stores a one-time sign-in code that the caller made.
core::Result<SignInCode> offer_sign_in(OperationContext& ctx, SignInCodeRequest const& request);

/// Whether the code of that hash can be exchanged now.
bool is_offered(OperationContext& ctx, std::string const& code_hash);
/// Exchanges a one-time code for a session; the code is used up. Refuses `UNAUTHENTICATED`.
core::Result<void> sign_in(OperationContext& ctx, std::string const& code_hash,
                           std::string const& session_hash, core::Duration lasts);
/// Ends a session.
void sign_out(OperationContext& ctx, std::string const& session_hash);

/// The owner of a credential. The token of an ended run still has one, so that a late agent gets
/// `STALE_CLAIM`.
struct Principal {
  Caller caller;
  bool ended = false;
  std::int64_t token = 0;
  std::optional<core::Instant> expires;
};
core::Result<Principal> principal_of(OperationContext& ctx, std::string const& token_hash);

struct CreateTokenRequest {
  std::string name;
  std::string hash;
  std::string label;
  bool admin = false;
  std::optional<core::Duration> lasts;
};
BOOST_DESCRIBE_STRUCT(CreateTokenRequest, (), (name, hash, label, admin, lasts))
inline constexpr std::array kCreateTokenFields{
    core::Field{"name", "Person it stands for", core::required},
    core::Field{"hash", "SHA-256 of the secret, in hex", core::required},
    core::Field{"label", "What it is for"}, core::Field{"admin", "All rights", core::set_only},
    core::Field{"lasts", "How long it lives; for ever when left out"}};
constexpr auto const& fields(CreateTokenRequest const*) { return kCreateTokenFields; }

struct TokenView {
  std::int64_t id = 0;
  std::string kind;
  std::string name;
  std::string label;
  core::Instant created{};
  std::optional<core::Instant> expires;
  std::optional<core::Instant> revoked;
};
BOOST_DESCRIBE_STRUCT(TokenView, (), (id, kind, name, label, created, expires, revoked))
inline constexpr std::array kTokenViewFields{
    core::Field{"id", "Number of the token", core::always},
    core::Field{"kind", "admin, person, session or run", core::always},
    core::Field{"name", "Whom it stands for"},
    core::Field{"label", "What it is for"},
    core::Field{"created", "When it was made", core::always},
    core::Field{"expires", "When it ends"},
    core::Field{"revoked", "When it was revoked"}};
constexpr auto const& fields(TokenView const*) { return kTokenViewFields; }

struct ListTokensRequest {
  std::optional<int> limit;
  std::string cursor;
};
BOOST_DESCRIBE_STRUCT(ListTokensRequest, (), (limit, cursor))
inline constexpr std::array kListTokensFields{core::Field{"limit", "Most tokens in the answer, up to 500"},
                                              core::Field{"cursor", "`next` of the page before"}};
constexpr auto const& fields(ListTokensRequest const*) { return kListTokensFields; }

struct Tokens {
  std::vector<TokenView> items;
  std::string next;
};
BOOST_DESCRIBE_STRUCT(Tokens, (), (items, next))
inline constexpr std::array kTokensFields{core::Field{"items", "The tokens", core::always},
                                          core::Field{"next", "Cursor of the next page"}};
constexpr auto const& fields(Tokens const*) { return kTokensFields; }
core::Result<Tokens> list_tokens(OperationContext& ctx, ListTokensRequest const& request);

struct TokenRequest {
  std::int64_t id = 0;
};
BOOST_DESCRIBE_STRUCT(TokenRequest, (), (id))
inline constexpr std::array kTokenRequestFields{core::Field{"id", "Number of the token", core::required}};
constexpr auto const& fields(TokenRequest const*) { return kTokenRequestFields; }
core::Result<TokenView> revoke_token(OperationContext& ctx, TokenRequest const& request);
/// Stores a credential whose secret the caller made and keeps.
core::Result<TokenView> create_token(OperationContext& ctx, CreateTokenRequest const& request);

}  // namespace andon::service
