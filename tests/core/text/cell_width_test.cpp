#include "core/text/cell_width.hpp"

#include <vector>

#include <doctest/doctest.h>

using namespace andon::core;

namespace {

std::vector<std::string> clusters(std::string_view text) {
  std::vector<std::string> out;
  for (ClusterReader reader{text}; !reader.at_end();) out.emplace_back(reader.next().bytes);
  return out;
}

}  // namespace

TEST_CASE("CellWidth.CountsCellsAndNotBytes") {
  CHECK(cells("Grüße") == 5);
  CHECK(cells("你好") == 4);
  CHECK(cells("e\u0301") == 1);
  CHECK(cells("\xff") == 1);
  CHECK(cells("") == 0);
}

TEST_CASE("CellWidth.AnEmojiOfManyCharactersTakesTwoCells") {
  CHECK(cells("👩\u200d👩\u200d👧") == 2);
  CHECK(cells("👍🏽") == 2);
  CHECK(cells("🇩🇪🇫🇷") == 4);
  CHECK(cells("❤") == 1);
  CHECK(cells("❤\ufe0f") == 2);
  CHECK(cells("1\ufe0f\u20e3") == 2);
  CHECK(cells("\u1100\u1161\u11a8") == 2);
}

TEST_CASE("CellWidth.AClusterIsWhatAReaderTakesForOneCharacter") {
  CHECK(clusters("ae\u0301b") == std::vector<std::string>{"a", "e\u0301", "b"});
  CHECK(clusters("👩\u200d💻x") == std::vector<std::string>{"👩\u200d💻", "x"});
  CHECK(clusters("🇩🇪🇫🇷") == std::vector<std::string>{"🇩🇪", "🇫🇷"});
  CHECK(clusters("a\xffz") == std::vector<std::string>{"a", "\xff", "z"});
}

TEST_CASE("CellWidth.AClusterOfTooManyMarksIsCutToWholeCharacters") {
  std::string text = "e";
  for (int i = 0; i < 1000; ++i) text += "\u0301";
  auto const read = clusters(text + "x");
  REQUIRE(read.size() == 2);
  CHECK(read[0].size() == 63);
  CHECK(read[1] == "x");
}

TEST_CASE("CellWidth.CutsBetweenClustersAndMarksTheCut") {
  CHECK(cut("你好世界", 7) == "你好...");
  CHECK(cut("short", 7) == "short");
  CHECK(cut("e\u0301e\u0301e\u0301", 2, "…") == "e\u0301…");
}

TEST_CASE("CellWidth.PadsByCells") { CHECK(padded("你", 4) == "你  "); }
