#include "core/text/terminal_text.hpp"

#include <array>

#include <doctest/doctest.h>

using namespace andon;

namespace {

struct TerminalRow {
  std::string_view text;
  std::string_view shown;
};

/// tests/fixtures/terminal_text.json holds these rows for the page.
constexpr std::array kTerminalRows{
    TerminalRow{"plain [33m text", "plain [33m text"},
    TerminalRow{"\x1b[33mamber\x1b[0m", "amber"},
    TerminalRow{"\x1b[38;2;1;2;3ma\x1b[38:5:9mb\x1b[mc", "abc"},
    TerminalRow{"\x1b[2J\x1b[1;1Hhome\x1b[?25l\x1b[2 q", "home"},
    TerminalRow{"\x1b]0;title\x07text", "text"},
    TerminalRow{"\x1b]8;;https://example.org\x1b\\link\x1b]8;;\x1b\\", "link"},
    TerminalRow{"\x1b]0;never ends\nnext", "\nnext"},
    TerminalRow{"\x1b]0;cut by\x1b[31m another", " another"},
    TerminalRow{"\x1bP1$r0m\x1b\\a\x1b_x\x1b\\b\x1b^y\x1b\\c\x1bXz\x1b\\d", "abcd"},
    TerminalRow{"\x1b(B\x1b)0\x1b#8\x1b%Gtext", "text"},
    TerminalRow{"\x1b=\x1b>\x1b"
                "7\x1b"
                "8\x1bM\x1b"
                "ctext",
                "text"},
    TerminalRow{"lone \x1b", "lone "},
    TerminalRow{"lone \x1b\nnext", "lone \nnext"},
    TerminalRow{"cut \x1b[38;5", "cut "},
    TerminalRow{"twice \x1b\x1b[31mred", "twice red"},
    TerminalRow{"broken \x1b[31\ntext", "broken \ntext"},
    TerminalRow{"no colour \x1b[31ö", "no colour ö"},
};

}  // namespace

TEST_CASE("TerminalText.HasNoSequences") {
  for (auto const& row : kTerminalRows) {
    CAPTURE(row.shown);
    CHECK(core::without_escapes(row.text) == row.shown);
    CHECK(core::without_escapes(row.shown) == row.shown);
  }
}
