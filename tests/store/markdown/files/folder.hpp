#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include "store/markdown/index/file_index.hpp"
#include "store/markdown/index/publication.hpp"
#include "support/scratch.hpp"

namespace andon::test {

/// The directories of a board without an index, with what other programs do to its tasks.
class Folder {
 public:
  Folder() : folder_((std::filesystem::create_directory(scratch_ / "tasks"), scratch_.path())) {
    folder_.open_tasks("tasks");
  }
  store::markdown::BoardFolder const& operator*() const { return folder_; }
  void write(std::string const& name, std::string_view text) {
    std::filesystem::remove(scratch_ / "tasks" / name);
    std::ofstream{scratch_ / "tasks" / name} << text;
  }
  std::string text(std::string const& name) const {
    auto const content = folder_.tasks().read(name, store::markdown::kLongestTask);
    return content ? content->text : "(none)";
  }
  /// A change of a file as it is now.
  store::markdown::NewFile change(std::string const& old_name, std::string const& name,
                                  std::string text) const {
    auto const was = folder_.tasks().read(old_name, store::markdown::kLongestTask);
    return {name, old_name, was->look.stamp, store::markdown::hash_of(was->text), std::move(text)};
  }
  void write_new(std::string const& name, std::string_view text) {
    std::ofstream{scratch_ / ".andon/new" / name} << text;
  }
  bool has_new(std::string const& name) const {
    return std::filesystem::exists(scratch_.path() / ".andon/new" / name);
  }
  bool leaves_nothing() const { return std::filesystem::is_empty(scratch_ / ".andon/new"); }

 private:
  Scratch scratch_;
  store::markdown::BoardFolder folder_;
};

}  // namespace andon::test
