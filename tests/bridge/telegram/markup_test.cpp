#include "bridge/telegram/markup.hpp"

#include <doctest/doctest.h>

using namespace andon::bridge;
using telegram::html_parts;

namespace {

std::vector<std::string> plain_parts(std::string text) { return html_parts({Span{std::move(text)}}); }

}  // namespace

TEST_CASE("Markup.EscapesTextAndMarksStyles") {
  CHECK(
      html_parts({{"a <b>&", Style::bold}, {" and "}, {"x < y", Style::code}, {"said\nso", Style::quote}}) ==
      std::vector<std::string>{"<b>a &lt;b&gt;&amp;</b> and <code>x &lt; y</code>"
                               "<blockquote>said\nso</blockquote>"});
  CHECK(html_parts({{"a\nb", Style::code}}) == std::vector<std::string>{"<pre>a\nb</pre>"});
}

TEST_CASE("Markup.WritesHiddenCharactersVisibly") {
  CHECK(plain_parts("a\u202Eb\x1b[1mc") == std::vector<std::string>{"a[U+202E]b\\x1b[1mc"});
  CHECK(plain_parts("a\xff") == std::vector<std::string>{"a\\xff"});
}

TEST_CASE("Markup.ABlankTextHasNoPart") {
  CHECK(html_parts({}).empty());
  CHECK(plain_parts(" \n\n ").empty());
  CHECK(html_parts({{" ", Style::bold}}).empty());
}

TEST_CASE("Markup.SplitsAtLineEnds") {
  std::string const line(3000, 'x');
  CHECK(plain_parts(line + "\n" + line) == std::vector<std::string>{line, line});
}

TEST_CASE("Markup.SplitsALongLineBetweenCharacters") {
  auto const parts = plain_parts(std::string(4096, 'x') + "yz");
  CHECK(parts == std::vector<std::string>{std::string(4096, 'x'), "yz"});
}

TEST_CASE("Markup.CountsUtf16Units") {
  std::string faces;
  for (int i = 0; i < 2049; ++i) faces += "\U0001F600";
  auto const parts = plain_parts(faces);
  REQUIRE(parts.size() == 2);
  CHECK(parts[0].size() == 2048 * 4);
  CHECK(parts[1] == "\U0001F600");
}

TEST_CASE("Markup.EscapesDoNotCountAgainstTheLimit") {
  CHECK(plain_parts(std::string(4096, '<')).size() == 1);
}

TEST_CASE("Markup.ClosesTagsInEveryPart") {
  auto const parts = html_parts({{std::string(5000, 'x'), Style::bold}});
  REQUIRE(parts.size() == 2);
  CHECK(parts[0] == "<b>" + std::string(4096, 'x') + "</b>");
  CHECK(parts[1] == "<b>" + std::string(904, 'x') + "</b>");
}

TEST_CASE("Markup.BoundsTheParts") {
  CHECK(plain_parts(std::string(200'000, 'x')).size() == telegram::kMostParts);
}
