#include "http/client/proven_server.hpp"

#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/text/ascii.hpp"
#include "os/digest.hpp"
#include "reflect/json.hpp"

namespace andon::http {
namespace {

constexpr std::string_view kBearer = "bearer ";
constexpr int kGood = 200;

}  // namespace

std::string token_in(api::HttpCall const& call) {
  std::string out;
  for (auto const& [name, value] : call.headers) {
    if (core::ascii_lower(name) != "authorization") continue;
    bool const is_bearer = core::ascii_lower(value.substr(0, kBearer.size())) == kBearer;
    auto const from = value.find_first_not_of(' ', is_bearer ? kBearer.size() : 0);
    if (from == std::string::npos) continue;
    out += value.substr(from, value.find_last_not_of(' ') + 1 - from);
  }
  return out;
}

api::HttpCall call_of(api::ProofRequest const& request) {
  return {"POST",
          std::string{api::kProofPath},
          {{"Content-Type", "application/json"}},
          reflect::to_json(request)};
}

std::string fault_of(api::HttpAnswer const& answer, std::string const& hash, api::ProofRequest const& asked) {
  if (answer.status != kGood) return "it answered " + std::to_string(answer.status);
  auto const given = reflect::read_json<api::ServerProof>(answer.body, reflect::Unknown::ignore);
  if (!given) return "its answer is no proof";
  return os::same_secret(given->proof, api::proof_of(hash, asked.nonce)) ? "" : "its proof is wrong";
}

bool is_trusted_peer(int socket, std::filesystem::path const& file) {
  ucred peer{};
  socklen_t size = sizeof peer;
  if (::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return false;
  if (peer.uid == ::geteuid() || peer.uid == 0) return true;
  struct stat directory{};
  auto const parent = file.has_parent_path() ? file.parent_path() : std::filesystem::path{"."};
  return ::stat(parent.c_str(), &directory) == 0 && directory.st_uid == peer.uid;
}

}  // namespace andon::http
