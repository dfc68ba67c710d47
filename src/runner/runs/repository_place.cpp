#include "runner/runs/repository_place.hpp"

#include "core/model/clone_url.hpp"
#include "os/digest.hpp"

namespace andon::runner {

namespace fs = std::filesystem;

constexpr std::size_t kNameDigits = 32;

fs::path clones_of(os::DataDirectory const& data) { return fs::absolute(data.root) / "clones"; }

fs::path clone_folder(os::DataDirectory const& data, std::string const& url) {
  return clones_of(data) / os::hex(os::sha256(url)).substr(0, kNameDigits);
}

std::string repository_directory(std::string const& repo, os::DataDirectory const& data) {
  return core::is_clone_url(repo) ? (clone_folder(data, repo) / "repo").native() : repo;
}

std::string directory_of_copies(std::string const& repo, std::string const& board,
                                os::DataDirectory const& data) {
  return core::is_clone_url(repo) ? (fs::absolute(data.root) / "copies" / board).native() : repo;
}

}  // namespace andon::runner
