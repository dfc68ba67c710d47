#include "runner/runs/repository_place.hpp"

#include "core/model/clone_url.hpp"
#include "os/digest.hpp"

namespace andon::runner {

namespace fs = std::filesystem;

constexpr std::size_t kNameDigits = 32;

fs::path clones_of(os::DataDirectory const& data) { return fs::absolute(data.root) / "clones"; }

fs::path clone_folder(os::DataDirectory const& data, std::string const& repo) {
  auto const folder = core::is_clone_url(repo) ? clones_of(data) : fs::absolute(data.repositories());
  return folder / os::hex(os::sha256(repo)).substr(0, kNameDigits);
}

std::string repository_directory(std::string const& repo, os::DataDirectory const& data) {
  return repo.empty() ? repo : (clone_folder(data, repo) / "repo").native();
}

fs::path objects_of_clone(std::string const& repo) { return fs::path{repo} / ".git" / "objects"; }

std::string directory_of_copies(std::string const& repo, std::string const& board,
                                os::DataDirectory const& data) {
  return core::is_clone_url(repo) ? (fs::absolute(data.root) / "copies" / board).native() : repo;
}

}  // namespace andon::runner
