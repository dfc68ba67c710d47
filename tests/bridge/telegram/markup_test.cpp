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

TEST_CASE("Markup.TextIsNoCommandLinkOrName") {
  struct Row {
    std::string_view text, sent;  ///< a bar stands for the invisible character
  };
  for (auto const& row : std::vector<Row>{
           {"ok /stop https://evil.example", "ok /|stop https:|//|evil.|example"},
           {"/stop@andon_bot", "/|stop@|andon_bot"},
           {"ask @ann, ann@mail.example", "ask @|ann, ann@|mail.|example"},
           {"see evil.example/a?b.", "see evil.|example/|a?b."},
           {"evil.\u043E\u0440\u0433 10.0.0.1", "evil.|\u043E\u0440\u0433 10.|0.|0.|1"},
           {"tg://user?id=1 http://localhost", "tg:|//|user?id=1 http:|//|localhost"},
           {"#tag #\u00E9 #1a $USD +49 30", "#|tag #|\u00E9 #|1a $|USD +|49 30"},
           {"#12 Mend (#3). 12:30 a / b ...", "#12 Mend (#3). 12:30 a / b ..."},
       }) {
    std::string sent;
    for (char const c : row.sent) sent += c == '|' ? std::string{"\u2060"} : std::string{c};
    for (auto const style : {Style::plain, Style::bold, Style::quote}) {
      auto const parts = html_parts({{std::string{row.text}, style}});
      REQUIRE(parts.size() == 1);
      CHECK_MESSAGE(parts[0].find(sent) != std::string::npos, parts[0]);
    }
  }
}

TEST_CASE("Markup.CodeStaysAsItIs") {
  CHECK(html_parts({{"cd /tmp && a.sh", Style::code}}) ==
        std::vector<std::string>{"<code>cd /tmp &amp;&amp; a.sh</code>"});
}

TEST_CASE("Markup.OwnCommandsCanBePressed") {
  CHECK(html_parts({{"Stopped. "}, {"/resume all", Style::command}, {" lets /them go on."}}) ==
        std::vector<std::string>{"Stopped. /resume all lets /\u2060them go on."});
}

TEST_CASE("Markup.InvisibleCharactersCountAgainstTheLimit") {
  std::string text;
  for (int i = 0; i < 1400; ++i) text += "@a";
  CHECK(plain_parts(text).size() == 2);
}
