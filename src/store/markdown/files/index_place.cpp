#include "store/markdown/files/index_place.hpp"

#include <sys/stat.h>

#include "os/data/user_secret.hpp"
#include "os/digest.hpp"
#include "os/files/file.hpp"
#include "os/files/network_file_system.hpp"
#include "os/system_error.hpp"
#include "store/contract/store_error.hpp"

namespace andon::store::markdown {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kNameDigits = 32;
constexpr char kLink[] = "index.db";

/// The file system's identity of a directory. A copied, cloned or unpacked directory has a new one.
std::string identity_of(fs::path const& directory) {
  struct stat about{};
  if (::lstat(directory.c_str(), &about) != 0) os::fail("look at", directory.native());
  return std::to_string(about.st_dev) + ":" + std::to_string(about.st_ino);
}

void remove_index(fs::path const& file, Endings endings) {
  for (auto const end : endings) fs::remove_all(file.native() + std::string{end});
}

}  // namespace

IndexPlace::IndexPlace(fs::path own) : own_(std::move(own)) {
  auto const proof = os::hex(os::sha256(os::user_secret() + "\nindex of " + identity_of(own_) + "\n"));
  name_ = fs::path{proof.substr(0, kNameDigits)} / kLink;
  file_ = own_ / name_;
}

bool IndexPlace::is_there() const {
  std::error_code no_link;
  return fs::read_symlink(own_ / kLink, no_link) == name_ && fs::exists(file_, no_link);
}

void IndexPlace::refuse_network() const {
  auto const name = os::network_file_system(os::open_directory(own_).get());
  if (!name) return;
  throw StoreError{StoreError::Kind::read_only,
                   own_.native() + " is on a network file system (" + std::string{*name} +
                       "), where the locks of the board's index cannot be trusted; keep the board on a local "
                       "disk, or attach it to a server"};
}

void IndexPlace::prepare(Endings endings) const try {
  std::error_code no_link;
  auto const link = own_ / kLink;
  if (fs::read_symlink(link, no_link) == name_) return;
  os::make_private_directory(file_.parent_path());
  if (fs::symlink_status(link).type() == fs::file_type::not_found)
    remove_index(file_, endings);
  else
    remove_index(link, endings);
  fs::create_symlink(name_, link);
} catch (fs::filesystem_error const& error) {
  throw os::SystemError("prepare the index in", own_.native(), error.code().value());
}

}  // namespace andon::store::markdown
