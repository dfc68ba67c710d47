#pragma once

#include <filesystem>
#include <string>

#include "api/access/server_proof.hpp"
#include "api/transport.hpp"

namespace andon::http {

// Checks of a server before a secret is sent to it.

/// The credential that a request carries; empty for none. Of several credentials it makes one that no server
/// knows.
std::string token_in(api::HttpCall const& call);
/// The request for a proof.
api::HttpCall call_of(api::ProofRequest const& request);
/// Why the answer does not prove that the server knows the token with that hash; empty if it does.
std::string fault_of(api::HttpAnswer const& answer, std::string const& hash, api::ProofRequest const& asked);
/// True if the process at the other end of a Unix socket runs as this process's user, as root, or as the
/// owner of the directory that holds the socket file: nobody else could put a file into a private one.
bool is_trusted_peer(int socket, std::filesystem::path const& file);

}  // namespace andon::http
