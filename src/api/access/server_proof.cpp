#include "api/access/server_proof.hpp"

#include "core/text/hex.hpp"
#include "os/digest.hpp"
#include "os/random.hpp"

namespace andon::api {
namespace {

constexpr std::size_t kTokenDigits = 16;
constexpr std::size_t kNonceBytes = 32;
constexpr std::string_view kPurpose = "andon-proof-1\n";

core::Result<void> check_digits(std::string const& text, std::size_t digits, std::string const& field) {
  if (text.size() == digits && text.find_first_not_of(core::kHexDigits) == std::string::npos) return {};
  return core::refuse(core::Code::kInvalidInput,
                      "\"" + field + "\" must be " + std::to_string(digits) + " lower-case hex digits",
                      field);
}

std::string proof_with(std::string_view key, std::string_view nonce) {
  return os::hex(os::hmac_sha256(key, std::string{kPurpose}.append(nonce)));
}

}  // namespace

ProofRequest proof_request(std::string_view hash) {
  return {std::string{hash.substr(0, kTokenDigits)}, os::random_hex(kNonceBytes)};
}

core::Result<void> check(ProofRequest const& request) {
  ANDON_CHECK(check_digits(request.token, kTokenDigits, "token"));
  return check_digits(request.nonce, 2 * kNonceBytes, "nonce");
}

std::string proof_of(std::string_view hash, std::string_view nonce) {
  return proof_with(core::from_hex(hash).value_or(std::string{}), nonce);
}

std::string proof_of_unknown(std::string_view secret, ProofRequest const& request) {
  return proof_of(os::hex(os::hmac_sha256(secret, request.token)), request.nonce);
}

}  // namespace andon::api
