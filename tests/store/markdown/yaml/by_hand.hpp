#pragma once

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

#include <doctest/doctest.h>

namespace andon::test {

/// What people and their editors do to the files of a board.
struct ByHand {
  static std::string read(std::filesystem::path const& file) {
    std::ifstream in{file};
    std::ostringstream out;
    out << in.rdbuf();
    return out.str();
  }
  static void write(std::filesystem::path const& file, std::string const& text) {
    std::filesystem::remove(file);
    std::ofstream{file} << text;
  }
  static void edit(std::filesystem::path const& file, std::string_view from, std::string_view to) {
    auto text = read(file);
    auto const at = text.find(from);
    REQUIRE(at != std::string::npos);
    write(file, text.replace(at, from.size(), to));
  }
};

}  // namespace andon::test
