#pragma once

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>

namespace andon::test {

/// A directory that goes away with the test.
class Scratch {
 public:
  Scratch() : Scratch(std::filesystem::temp_directory_path()) {}
  explicit Scratch(std::filesystem::path const& parent) {
    std::string name = (parent / "andon-test-XXXXXX").native();
    if (!::mkdtemp(name.data())) throw std::runtime_error("cannot make a scratch directory");
    path_ = name;
  }
  Scratch(Scratch const&) = delete;
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::filesystem::path const& path() const { return path_; }
  std::filesystem::path operator/(std::string_view name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

}  // namespace andon::test
