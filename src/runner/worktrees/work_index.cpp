#include "runner/worktrees/work_index.hpp"

#include "os/digest.hpp"
#include "os/files/file.hpp"
#include "os/system_error.hpp"

namespace andon::runner {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kNameDigits = 32;
constexpr char kKept[] = "index";

fs::path clone_of(Repository const& clone) { return fs::path{clone.git.place().directory}.parent_path(); }

void must_be_done(std::error_code const& trouble, std::string_view what, fs::path const& file) {
  if (trouble) throw os::SystemError(what, file.native(), trouble.value());
}

/// Copies an index with its time: git reads files again that changed in the moment the index was written.
void copy_index(fs::path const& from, fs::path const& to) {
  std::error_code trouble;
  if (!fs::is_regular_file(fs::symlink_status(from, trouble))) return;
  auto const written = fs::last_write_time(from, trouble);
  must_be_done(trouble, "look at", from);
  fs::copy_file(from, to, fs::copy_options::overwrite_existing, trouble);
  must_be_done(trouble, "copy", from);
  fs::last_write_time(to, written, trouble);
  must_be_done(trouble, "set the time of", to);
}

}  // namespace

fs::path index_folder(fs::path const& clone, fs::path const& tree) {
  return clone / "indexes" / os::hex(os::sha256(tree.native())).substr(0, kNameDigits);
}

void keep_index(fs::path const& clone, fs::path const& tree) {
  auto const folder = index_folder(clone, tree);
  os::make_private_directory(folder);
  copy_index(tree / ".git/index", folder / kKept);
}

void forget_index(fs::path const& clone, fs::path const& tree) {
  std::error_code ignored;
  fs::remove_all(index_folder(clone, tree), ignored);
}

WorkIndex::WorkIndex(Repository const& clone, fs::path const& tree)
    : folder_(index_folder(clone_of(clone), tree)), copy_(folder_), file_(copy_.path() / kKept) {
  copy_index(folder_ / kKept, file_);
}

void WorkIndex::keep() const {
  std::error_code trouble;
  if (!fs::exists(file_, trouble)) return;
  fs::rename(file_, folder_ / kKept, trouble);
  must_be_done(trouble, "keep", file_);
}

}  // namespace andon::runner
