// Git judges the contents as follows, in a folder of its own with an index of its own:
//
//   1. each content gets a name of its own, and `.gitattributes` gives that name its filter
//   2. `checkout-index` writes the files, so that each filter smudges its own
//   3. `update-index --add` reads them into another index, so that each filter cleans its own
//   4. a name with another object than at first was not in its filter's form

#include "runner/worktrees/filter_form.hpp"

#include <algorithm>
#include <map>

#include "os/files/file.hpp"
#include "os/files/scratch_directory.hpp"
#include "runner/git/work_place.hpp"

namespace andon::runner {
namespace {

namespace fs = std::filesystem;

/// Calls of git to find the files whose filter fails among many.
constexpr int kMostSingleCalls = 100;
constexpr std::size_t kModeDigits = 6;

/// The contents by their names in the folder.
using Named = std::map<std::string, CommittedFile>;

bool is_regular_mode(std::string_view mode) { return mode.starts_with("100"); }

/// Takes the pairs of `:MODE MODE OBJECT OBJECT STATUS` and path.
void take_changes(std::vector<std::string> const& printed, std::set<CommittedFile>& out) {
  for (std::size_t i = 0; i + 1 < printed.size(); i += 2) {
    std::string_view const change = printed[i];
    auto const mode = change.substr(1 + kModeDigits + 1, kModeDigits);
    auto const objects = change.substr(1 + 2 * (kModeDigits + 1));
    auto const after = objects.substr(objects.find(' ') + 1);
    if (mode == "000000" || mode == "160000") continue;
    out.insert({printed[i + 1], std::string{after.substr(0, after.find(' '))}, is_regular_mode(mode)});
  }
}

/// Removes the contents that the base has under the same path.
void leave_out_known(Git const& clone, std::string const& base, std::set<CommittedFile>& files) {
  if (files.empty()) return;
  for (auto const& file : files_in_commit(clone, base)) files.erase(file);
}

Named named(std::set<CommittedFile> const& files, PathFilters const& filters, HeldFilters const& held) {
  Named out;
  for (auto const& file : files)
    if (auto const found = filters.find(file.path);
        file.is_regular && found != filters.end() && held.contains(found->second))
      out[std::to_string(out.size())] = file;
  return out;
}

/// The folder with the files, and git over it.
class FormFolder {
 public:
  FormFolder(Git const& clone, fs::path const& scratch, HeldFilters const& held)
      : scratch_(scratch), folder_(scratch / "form") {
    clear();
    os::make_private_directory(folder_);
    auto place = clone.place();
    auto const id = directory_identity(folder_);
    if (!id) throw GitFailure(id.error());
    place.directory = folder_;
    place.directory_id = *id;
    auto const filtered = clone.as_own().with_filters(held);
    before_ = std::make_unique<Git>(filtered.over(place, scratch / "form-before"));
    after_ = std::make_unique<Git>(filtered.over(place, scratch / "form-after"));
  }
  FormFolder(FormFolder const&) = delete;
  FormFolder& operator=(FormFolder const&) = delete;
  ~FormFolder() { clear(); }

  void write(Named const& files, PathFilters const& filters) const {
    std::string attributes = "* -text !ident !working-tree-encoding !filter\n";
    std::vector<std::string> entries;
    for (auto const& [name, file] : files) {
      attributes += "/" + name + " filter=" + filters.at(file.path) + "\n";
      entries.push_back("100644 " + file.object + "\t" + name);
    }
    os::write_passing_file(folder_ / ".gitattributes", attributes);
    auto const input = input_of(scratch_ / "form-entries", entries);
    before_->carry_out({"update-index", "-z", "--index-info"}, {}, input.get());
    // A file whose filter fails is not written.
    if (auto const written = before_->run({"checkout-index", "--all", "--force"}); written.too_long)
      throw GitFailure("git checkout-index: " + written.complaint);
  }

  void read(Named const& files) const {
    std::vector<std::string> there;
    std::error_code none;
    for (auto const& [name, file] : files)
      if (fs::exists(folder_ / name, none)) there.push_back(name);
    if (add(there)) return;
    auto const tried = std::min<std::size_t>(there.size(), kMostSingleCalls);
    for (std::size_t i = 0; i < tried; ++i) add({there[i]});
  }

  /// The objects by the names.
  std::map<std::string, std::string> objects() const {
    std::map<std::string, std::string> out;
    for (std::string_view const line : after_->list({"ls-files", "--stage", "-z"}, '\0')) {
      auto const object = line.substr(kModeDigits + 1);
      out[std::string{line.substr(line.find('\t') + 1)}] = object.substr(0, object.find(' '));
    }
    return out;
  }

 private:
  bool add(std::vector<std::string> const& names) const {
    auto const input = input_of(scratch_ / "form-entries", names);
    auto const added = after_->run({"update-index", "-z", "--add", "--stdin"}, {}, input.get());
    if (added.too_long) throw GitFailure("git update-index: " + added.complaint);
    return added.good;
  }
  void clear() const {
    std::error_code ignored;
    for (auto const* part : {"form", "form-before", "form-after", "form-entries"})
      fs::remove_all(scratch_ / part, ignored);
  }

  fs::path scratch_;
  fs::path folder_;
  std::unique_ptr<Git> before_;
  std::unique_ptr<Git> after_;
};

}  // namespace

std::set<CommittedFile> files_in_commit(Git const& clone, std::string const& commit) {
  constexpr std::string_view kSubmodule = "160000";
  std::set<CommittedFile> out;
  for (std::string_view const line : clone.list({"ls-tree", "-r", "-z", commit}, '\0')) {
    auto const entry = line.substr(0, line.find('\t'));
    if (!entry.starts_with(kSubmodule))
      out.insert({std::string{line.substr(entry.size() + 1)}, std::string{entry.substr(entry.rfind(' ') + 1)},
                  is_regular_mode(entry)});
  }
  return out;
}

std::set<CommittedFile> files_of_commits(Git const& clone, std::string const& base, std::string const& head) {
  std::set<CommittedFile> out;
  if (base.empty() || head.empty()) return out;
  take_changes(clone.list({"log", "--raw", "-z", "-m", "--root", "--no-renames", "--no-abbrev",
                           "--format=", base + ".." + head, "--"},
                          '\0'),
               out);
  take_changes(
      clone.list({"diff-tree", "-r", "-z", "--raw", "--no-renames", "--no-abbrev", base, head, "--"}, '\0'),
      out);
  leave_out_known(clone, base, out);
  return out;
}

std::set<std::string> files_without_form(Git const& clone, fs::path const& scratch,
                                         std::set<CommittedFile> const& files, PathFilters const& filters,
                                         HeldFilters const& held) {
  std::set<std::string> out;
  auto const judged = named(files, filters, held);
  if (judged.empty()) return out;
  FormFolder const folder{clone, scratch, held};
  folder.write(judged, filters);
  folder.read(judged);
  auto const now = folder.objects();
  for (auto const& [name, file] : judged)
    if (auto const found = now.find(name); found == now.end() || found->second != file.object)
      out.insert(file.path);
  return out;
}

std::vector<std::string> unfiltered_files(Git const& clone, std::filesystem::path const& folder,
                                          std::string const& base, std::string const& head,
                                          HeldFilters const& held) {
  auto const committed = files_of_commits(clone, base, head);
  std::vector<std::string> paths;
  for (auto const& file : committed) paths.push_back(file.path);
  os::ScratchDirectory const scratch{folder};
  auto filters = filters_in_commit(clone, scratch.path(), head, paths);
  filters.merge(filters_in_commit(clone, scratch.path(), base, paths));
  auto found = files_without_form(clone, scratch.path(), committed, filters, held);
  for (auto const& [path, filter] : filters)
    if (!held.contains(filter)) found.insert(path);
  std::vector<std::string> out;
  for (auto const& path : found) out.push_back(path + " (filter " + filters.at(path) + ")");
  return out;
}

}  // namespace andon::runner
