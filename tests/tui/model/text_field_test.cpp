#include "tui/model/text_field.hpp"

#include <doctest/doctest.h>

using namespace andon::tui;

namespace {

/// The text with `|` at the cursor.
std::string typed(TextField const& field) {
  auto text = field.text();
  return text.insert(field.at(), "|");
}

void press_keys(TextField& field, std::initializer_list<Key> keys) {
  for (auto const key : keys) field.take(KeyPress{key});
}

KeyPress control_key(std::string text) { return {.text = std::move(text), .control = true}; }

}  // namespace

TEST_CASE("TextField.InsertsAtItsCursor") {
  TextField field{"ac", false};
  press_keys(field, {Key::left});
  CHECK(field.take(KeyPress{.text = "b"}));
  CHECK(typed(field) == "ab|c");
  press_keys(field, {Key::home});
  CHECK(typed(field) == "|abc");
  press_keys(field, {Key::end, Key::right});
  CHECK(typed(field) == "abc|");
}

TEST_CASE("TextField.TakesACharacterWithItsMarksAsOne") {
  TextField field{"ae\u0301你👩\u200d💻", false};
  press_keys(field, {Key::left});
  CHECK(typed(field) == "ae\u0301你|👩\u200d💻");
  press_keys(field, {Key::backspace});
  CHECK(typed(field) == "ae\u0301|👩\u200d💻");
  press_keys(field, {Key::backspace, Key::remove});
  CHECK(typed(field) == "a|");
  press_keys(field, {Key::remove, Key::backspace, Key::backspace});
  CHECK(typed(field) == "|");
}

TEST_CASE("TextField.RemovesWordsAndAllBefore") {
  TextField field{"one two  three", false};
  CHECK(field.take(control_key("w")));
  CHECK(typed(field) == "one two  |");
  CHECK(field.take(KeyPress{.key = Key::backspace, .alt = true}));
  CHECK(typed(field) == "one |");
  CHECK(field.take(control_key("a")));
  CHECK(typed(field) == "|one ");
  CHECK(field.take(control_key("e")));
  CHECK(field.take(control_key("u")));
  CHECK(typed(field) == "|");
}

TEST_CASE("TextField.TakesPastedTextWithoutControlCharacters") {
  TextField line{false}, lines{true};
  std::string_view const pasted = "a\tb\nc\x1b[31m\u202e";
  line.insert(pasted);
  lines.insert(pasted);
  CHECK(line.text() == "a b c[31m");
  CHECK(lines.text() == "a b\nc[31m");
}

TEST_CASE("TextField.TakesNothingThatWouldMakeItTooLong") {
  TextField field{false};
  CHECK(field.insert(std::string(TextField::kLongest - 1, 'a')));
  CHECK_FALSE(field.insert("bc"));
  CHECK(field.text().size() == TextField::kLongest - 1);
  CHECK(field.insert("b"));
}

TEST_CASE("TextField.LeavesOtherKeys") {
  TextField field{true};
  CHECK_FALSE(field.take(KeyPress{Key::enter}));
  CHECK_FALSE(field.take(KeyPress{Key::up}));
  CHECK_FALSE(field.take(control_key("x")));
  CHECK_FALSE(field.take(KeyPress{.text = "x", .alt = true}));
  CHECK(field.is_empty());
}
