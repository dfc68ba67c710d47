#pragma once

#include "core/model/token.hpp"
#include "service/operation_context.hpp"
#include "service/requests.hpp"

namespace andon::service {

// Credentials. Secrets are made and hashed outside; here only hashes pass.

struct SignInCodeRequest {
  std::string hash;
};
void describe(auto& field, SignInCodeRequest const*) {
  field(&SignInCodeRequest::hash, "hash", "SHA-256 of the one-time code, in hex", core::required);
}

struct SignInCode {
  core::Instant expires{};
};
void describe(auto& field, SignInCode const*) {
  field(&SignInCode::expires, "expires", "Until when the code can be used", core::always);
}

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
void describe(auto& field, CreateTokenRequest const*) {
  field(&CreateTokenRequest::name, "name", "Person it stands for", core::required);
  field(&CreateTokenRequest::hash, "hash", "SHA-256 of the secret, in hex", core::required);
  field(&CreateTokenRequest::label, "label", "What it is for");
  field(&CreateTokenRequest::admin, "admin", "All rights", core::set_only);
  field(&CreateTokenRequest::lasts, "lasts", "How long it lives; for ever when left out");
}

struct TokenView {
  core::TokenId id = 0;
  core::TokenKind kind{};
  std::string name;
  std::string label;
  core::Instant created{};
  std::optional<core::Instant> expires;
  std::optional<core::Instant> revoked;
};
void describe(auto& field, TokenView const*) {
  field(&TokenView::id, "id", "Number of the token", core::always);
  field(&TokenView::kind, "kind", "admin, person, session, run or runner", core::always);
  field(&TokenView::name, "name", "Whom it stands for");
  field(&TokenView::label, "label", "What it is for");
  field(&TokenView::created, "created", "When it was made", core::always);
  field(&TokenView::expires, "expires", "When it ends");
  field(&TokenView::revoked, "revoked", "When it was revoked");
}

struct ListTokensRequest {
  std::optional<int> limit;
  std::string cursor;
};
void describe(auto& field, ListTokensRequest const*) {
  field(&ListTokensRequest::limit, "limit", "Most tokens in the answer, up to 500");
  field(&ListTokensRequest::cursor, "cursor", "`next` of the page before");
}

struct Tokens {
  std::vector<TokenView> items;
  std::string next;
};
void describe(auto& field, Tokens const*) {
  field(&Tokens::items, "items", "The tokens", core::always);
  field(&Tokens::next, "next", "Cursor of the next page");
}
core::Result<Tokens> list_tokens(OperationContext& ctx, ListTokensRequest const& request);

struct TokenRequest {
  core::TokenId id = 0;
};
void describe(auto& field, TokenRequest const*) {
  field(&TokenRequest::id, "id", "Number of the token", core::required);
}
core::Result<TokenView> revoke_token(OperationContext& ctx, TokenRequest const& request);
/// Stores a credential whose secret the caller made and keeps.
core::Result<TokenView> create_token(OperationContext& ctx, CreateTokenRequest const& request);

/// Stores the token of a runner; the tokens that it had before are worth nothing any more.
core::Result<void> keep_runner_token(OperationContext& ctx, std::string const& name, std::string const& hash);
void revoke_runner_tokens(OperationContext& ctx, std::string const& name);

/// The hash that begins with these hex digits, of a credential that is kept, even of one that has ended.
std::optional<std::string> hash_beginning_with(OperationContext& ctx, std::string const& digits);

enum class CredentialState { unknown, known, revoked };
CredentialState state_of_credential(OperationContext& ctx, std::string const& hash);
/// Adds the credential of the administrator whose secret is in the token file.
void add_admin_token(OperationContext& ctx, std::string const& hash);

}  // namespace andon::service
