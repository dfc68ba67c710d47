#include <algorithm>
#include <string>

#include <doctest/doctest.h>

#include "os/embedded.hpp"

using andon::EmbeddedFile;

namespace {

EmbeddedFile const& file(std::string_view path) {
  auto const files = andon::welcome_files();
  auto const found = std::ranges::find(files, path, &EmbeddedFile::path);
  REQUIRE(found != files.end());
  return *found;
}

std::string text(std::span<unsigned char const> bytes) { return {bytes.begin(), bytes.end()}; }

}  // namespace

TEST_CASE("Embedding.TakesEveryFileOfADirectoryInOrderOfItsPath") {
  auto const files = andon::welcome_files();
  CHECK(files.size() == 3);
  CHECK(std::ranges::is_sorted(files, {}, &EmbeddedFile::path));
}

TEST_CASE("Embedding.KeepsTheBytesOfAFile") {
  CHECK(text(file("index.html").raw) == "<p>Andon</p>\n");
  CHECK(file("empty.txt").raw.empty());
}

TEST_CASE("Embedding.NamesTheTypeAndContent") {
  CHECK(file("index.html").mime == "text/html; charset=utf-8");
  CHECK(file("deep/style.css").mime == "text/css; charset=utf-8");
  CHECK(file("empty.txt").etag == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST_CASE("Embedding.CompressesOnlyWhatGetsSmaller") {
  auto const& style = file("deep/style.css");
  CHECK(style.gzip.size() < style.raw.size());
  CHECK(style.brotli.size() < style.raw.size());
  CHECK_FALSE(style.gzip.empty());
  CHECK_FALSE(style.brotli.empty());
  CHECK(file("index.html").gzip.empty());
  CHECK(file("empty.txt").brotli.empty());
}
