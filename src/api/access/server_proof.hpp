#pragma once

#include <string>
#include <string_view>

#include "core/error.hpp"
#include "core/field.hpp"

namespace andon::api {

// Before a client sends a token over plain TCP, the server proves that it knows the token: another program
// could have taken the port. The client names the token by the beginning of its hash and sends a number that
// is used once. The server answers with a message authentication code (RFC 2104, HMAC-SHA-256) whose key is
// the token's SHA-256, all that it keeps of a token. The beginning leaves 192 bits of the key unknown.

inline constexpr std::string_view kProofPath = "/api/v1/proof";

struct ProofRequest {
  std::string token;
  std::string nonce;
};
void describe(auto& field, ProofRequest const*) {
  field(&ProofRequest::token, "token", "The first 16 hex digits of the SHA-256 of the token", core::required);
  field(&ProofRequest::nonce, "nonce", "64 random hex digits, used once", core::required);
}

struct ServerProof {
  std::string proof;
};
void describe(auto& field, ServerProof const*) {
  field(&ServerProof::proof, "proof",
        "HMAC-SHA-256 of `andon-proof-1`, a line break and the nonce, in hex; its key is the SHA-256 of the "
        "token",
        core::always);
}

/// The question for the proof of a token with that hash.
ProofRequest proof_request(std::string_view hash);
core::Result<void> check(ProofRequest const& request);
/// The right answer. The hash is in hex.
std::string proof_of(std::string_view hash, std::string_view nonce);
/// An answer for a token that is not known. It is the same each time, as a right one is.
std::string proof_of_unknown(std::string_view secret, ProofRequest const& request);

}  // namespace andon::api
