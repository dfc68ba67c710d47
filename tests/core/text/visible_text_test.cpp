#include "core/text/visible_text.hpp"

#include <array>

#include <doctest/doctest.h>

using namespace andon;

namespace {

struct Row {
  std::string_view text;
  std::string_view shown;
};

/// tests/fixtures/hidden_text.json holds these rows for the page.
constexpr std::array kHidden{
    Row{"plain\u202etxet", "plain[U+202E]txet"},
    Row{"a\u2066b\u2069", "a[U+2066]b[U+2069]"},
    Row{"\U000E0041\U000E0042", "[U+E0041][U+E0042]"},
    Row{"a\u200bb\ufeff", "a[U+200B]b[U+FEFF]"},
    Row{"\u3164\u115f\u034f", "[U+3164][U+115F][U+034F]"},
    Row{"a\u0085\u009b31m", "a[U+0085][U+009B]31m"},
    Row{"x\x1b[31m", "x\\x1b[31m"},
    Row{"one\rtwo", "one\\x0dtwo"},
    Row{"☺\ufe0f\ufe0f\ufe00", "☺\ufe0f[U+FE0F][U+FE00]"},
    Row{"a\ufe0f", "a[U+FE0F]"},
    Row{"字\U000E0100", "字[U+E0100]"},
    Row{"a\u200db", "a[U+200D]b"},
    Row{"é\u200d\u200dé", "é[U+200D][U+200D]é"},
    Row{"é\u200d\u202eé", "é[U+200D][U+202E]é"},
    Row{"é\u200d", "é[U+200D]"},
};

constexpr std::array<std::string_view, 9> kSeen{"",
                                                "Größe für €5\n\tand a tab\r\n",
                                                "שלום עולם 123",
                                                "مرحبا بالعالم",
                                                "می\u200cخواهم",
                                                "क्\u200dष",
                                                "👩\u200d👩\u200d👧 ❤\ufe0f\u200d🔥 👍🏽",
                                                "#\ufe0f\u20e3 1\ufe0f\u20e3",
                                                "ᠠ\u180b 修正 🇩🇪"};

}  // namespace

TEST_CASE("VisibleText.WritesOutWhatNoReaderSees") {
  for (auto const& row : kHidden) {
    CAPTURE(row.shown);
    CHECK(core::visible_text(row.text) == row.shown);
    CHECK(core::visible_text(row.shown) == row.shown);
    CHECK(core::holds_hidden(row.text));
  }
}

TEST_CASE("VisibleText.LeavesWhatPeopleReadAsItIs") {
  for (auto const text : kSeen) {
    CAPTURE(text);
    CHECK(core::visible_text(text) == text);
    CHECK_FALSE(core::holds_hidden(text));
  }
}

TEST_CASE("VisibleText.InOneLineWritesOutLineEndsAndBytes") {
  CHECK(core::visible_line("a\nb\tc\r\n") == "a\\nb\\tc\\x0d\\n");
  CHECK(core::visible_line("\xff\xc2") == "\\xff\\xc2");
  CHECK(core::visible_line("a\u0085\u202e") == "a[U+0085][U+202E]");
}

TEST_CASE("VisibleText.IsBlankWhereNothingIsSeen") {
  for (auto const* text : {"", " \t\n", "\u00a0\u3000", "\u3164", "\u200b\u200b", "\u2800", "\U000E0041"})
    CHECK(core::is_blank(text));
  for (auto const* text : {"a", " . ", "\u3164x", "\xff"}) CHECK_FALSE(core::is_blank(text));
}

TEST_CASE("KeepableText.ReplacesWhatNotEveryDatabaseKeeps") {
  using core::keepable_text;
  CHECK(keepable_text("as it is, \xc3\xa9\t\n") == "as it is, \xc3\xa9\t\n");
  CHECK(keepable_text(std::string{"a\0b", 3}) ==
        "a\xef\xbf\xbd"
        "b");
  CHECK(keepable_text("a\xff") == "a\xef\xbf\xbd");
  CHECK(keepable_text("").empty());
}
