#include "tui/screen/input.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

using namespace andon::tui;
using Inputs = std::vector<Input>;

namespace {

Inputs read(std::string_view bytes) { return InputReader{}.take(bytes); }

Input key(Key key) { return KeyPress{.key = key}; }
Input character(std::string text) { return KeyPress{.text = std::move(text)}; }
Input control(std::string text) { return KeyPress{.text = std::move(text), .control = true}; }
Input alt(std::string text) { return KeyPress{.text = std::move(text), .alt = true}; }

}  // namespace

TEST_CASE("InputReader.ReadsCharacters") {
  CHECK(read("aä你👋") == Inputs{character("a"), character("ä"), character("你"), character("👋")});
  CHECK(read("a\xff\xc3z") == Inputs{character("a"), character("z")});
}

TEST_CASE("InputReader.ReadsControlKeys") {
  CHECK(read("\r\n\t") == Inputs{key(Key::enter), key(Key::enter), key(Key::tab)});
  CHECK(read("\x7f\b") == Inputs{key(Key::backspace), key(Key::backspace)});
  CHECK(read("\x03\x1a") == Inputs{control("c"), control("z")});
  CHECK(read("\x1c\x1f") == Inputs{control("\\"), control("_")});
  CHECK(read(std::string_view("\0", 1)) == Inputs{control(" ")});
}

TEST_CASE("InputReader.ReadsTheKeysOfXtermAndVt220") {
  CHECK(read("\x1b[A\x1b[B\x1b[C\x1b[D") ==
        Inputs{key(Key::up), key(Key::down), key(Key::right), key(Key::left)});
  CHECK(read("\x1bOA\x1bOF\x1bOH") == Inputs{key(Key::up), key(Key::end), key(Key::home)});
  CHECK(read("\x1b[H\x1b[F\x1b[Z") == Inputs{key(Key::home), key(Key::end), key(Key::back_tab)});
  CHECK(read("\x1b[1~\x1b[7~\x1b[4~\x1b[8~") ==
        Inputs{key(Key::home), key(Key::home), key(Key::end), key(Key::end)});
  CHECK(read("\x1b[3~\x1b[5~\x1b[6~") == Inputs{key(Key::remove), key(Key::page_up), key(Key::page_down)});
}

TEST_CASE("InputReader.ReadsModifiers") {
  CHECK(read("\x1b[1;5A") == Inputs{KeyPress{.key = Key::up, .control = true}});
  CHECK(read("\x1b[1;3D") == Inputs{KeyPress{.key = Key::left, .alt = true}});
  CHECK(read("\x1b[3;7~") == Inputs{KeyPress{.key = Key::remove, .control = true, .alt = true}});
  CHECK(read("\x1b[1;2A") == Inputs{key(Key::up)});
  CHECK(read("\x1bx\x1bä") == Inputs{alt("x"), alt("ä")});
  CHECK(read("\x1b\r") == Inputs{KeyPress{.key = Key::enter, .alt = true}});
}

TEST_CASE("InputReader.EscapeAloneIsAKeyWhenNothingFollows") {
  InputReader reader;
  CHECK(reader.take("\x1b").empty());
  CHECK(reader.is_open());
  CHECK(reader.flush() == Inputs{key(Key::escape)});
  CHECK_FALSE(reader.is_open());
  CHECK(reader.flush().empty());
  CHECK(read("\x1b\x1b[A") == Inputs{key(Key::escape), key(Key::up)});
}

TEST_CASE("InputReader.AnOpenBracketIsAKeyWhenNothingFollows") {
  InputReader reader;
  CHECK(reader.take("\x1b[").empty());
  CHECK(reader.flush() == Inputs{alt("[")});
}

TEST_CASE("InputReader.TakesASplitSequenceTogether") {
  InputReader reader;
  CHECK(reader.take("\x1b[1;").empty());
  CHECK_FALSE(reader.is_open());
  CHECK(reader.flush().empty());
  CHECK(reader.take("5A\xe4\xbd") == Inputs{KeyPress{.key = Key::up, .control = true}});
  CHECK(reader.take("\xa0") == Inputs{character("你")});
}

TEST_CASE("InputReader.ReadsTheMouse") {
  using What = MouseEvent::What;
  CHECK(read("\x1b[<0;5;3M") == Inputs{MouseEvent{What::press, {4, 2}}});
  CHECK(read("\x1b[<0;5;3m") == Inputs{MouseEvent{What::release, {4, 2}}});
  CHECK(read("\x1b[<32;5;3M") == Inputs{MouseEvent{What::drag, {4, 2}}});
  CHECK(read("\x1b[<2;1;1M") == Inputs{MouseEvent{What::press, {0, 0}, false}});
  CHECK(read("\x1b[<64;1;1M\x1b[<65;1;1M") ==
        Inputs{MouseEvent{What::wheel_up, {0, 0}}, MouseEvent{What::wheel_down, {0, 0}}});
  for (auto const* bytes : {"\x1b[<4;1;1M", "\x1b[<8;1;1M", "\x1b[<16;1;1M"})
    CHECK(read(bytes) == Inputs{MouseEvent{What::press, {0, 0}, true, true}});
}

TEST_CASE("InputReader.ReadsTheMouseInTheOlderForm") {
  using What = MouseEvent::What;
  CHECK(read("\x1b[M %#") == Inputs{MouseEvent{What::press, {4, 2}}});
  CHECK(read("\x1b[M#%#") == Inputs{MouseEvent{What::release, {4, 2}}});
  CHECK(read("\x1b[M@%#") == Inputs{MouseEvent{What::drag, {4, 2}}});
  CHECK(read("\x1b[M`\xff\xff") == Inputs{MouseEvent{What::wheel_up, {222, 222}}});
}

TEST_CASE("InputReader.TakesAPasteInOnePiece") {
  InputReader reader;
  CHECK(reader.take("\x1b[200~a\rb\r\nc\xff\x1b[3").empty());
  CHECK_FALSE(reader.is_open());
  CHECK(reader.take("1mq\x1b[20").empty());
  CHECK(reader.take("1~x") == Inputs{Paste{"a\nb\nc\x1b[31mq"}, character("x")});
}

TEST_CASE("InputReader.CutsALongPaste") {
  constexpr std::size_t kMost = std::size_t{1} << 20U;
  for (std::size_t const piece : {std::size_t{1000}, std::size_t{65'536}}) {
    InputReader reader;
    reader.take("\x1b[200~");
    for (std::size_t sent = 0; sent < 3 * kMost; sent += piece)
      CHECK(reader.take(std::string(piece, 'a')).empty());
    CHECK(reader.take("\x1b[201~z") == Inputs{Paste{std::string(kMost, 'a')}, character("z")});
  }
}

TEST_CASE("InputReader.LeavesOutWhatItDoesNotKnow") {
  CHECK(read("\x1b[2~\x1b[9;9;9A\x1b[?1;2c\x1bOP\x1b[[Ax") == Inputs{character("x")});
  CHECK(read("\x1b[<35;1;1M\x1b[<66;1;1M\x1b[<128;1;1M\x1b[<0;0;1M\x1b[<0;1Mx") == Inputs{character("x")});
  CHECK(read("\x1b[" + std::string(1000, '1') + "Ax") == Inputs{character("x")});
  CHECK(read("\x1b[1;\x1b[A") == Inputs{key(Key::up)});
}

TEST_CASE("InputReader.SplittingChangesNothing") {
  CHECK(rc::check("the inputs are those of the bytes in one piece", [] {
    auto const pieces = *rc::gen::container<std::vector<std::string>>(
        rc::gen::oneOf(rc::gen::elementOf(std::vector<std::string>{"\x1b", "\x1b[", "\x1b[1;5", "\x1b[<0;3;",
                                                                   "\x1b[M", "200~", "\x1b[201~", "\x1bO",
                                                                   "A", "M", "~", "ä", "\xe4\xbd", "\r"}),
                       rc::gen::container<std::string>(rc::gen::arbitrary<char>())));
    std::string bytes;
    for (auto const& piece : pieces) bytes += piece;

    InputReader whole, split, single;
    auto const expected = whole.take(bytes);
    Inputs from_pieces, from_bytes;
    for (auto const& piece : pieces)
      for (auto& input : split.take(piece)) from_pieces.push_back(std::move(input));
    for (char const byte : bytes)
      for (auto& input : single.take({&byte, 1})) from_bytes.push_back(std::move(input));
    RC_ASSERT(from_pieces == expected);
    RC_ASSERT(from_bytes == expected);
    RC_ASSERT(split.flush() == whole.flush());
  }));
}
