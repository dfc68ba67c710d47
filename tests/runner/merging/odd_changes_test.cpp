// Changes that are not what a reader takes them for: text that is not shown, files that are links or
// programs, names that are mistaken, and files whose content went while they stayed.
#include "runner/merging/change_shape.hpp"

using namespace andon;
using test::ChangeShape;
using Shop = test::ShopUnderTest;

namespace {

char const* const kFile = "src/cart/index.js";

ChangeShape hides(char const* name, std::string text) {
  return {name, "hidden_text", [text = std::move(text)](Shop const& s) { s.append(kFile, text + "\n"); }};
}

std::vector<ChangeShape> hidden() {
  return {
      hides("a line is shown in another order", "if (is_admin \u202E\u2066) { // end\u2069"),
      hides("a line is isolated", "const role = 'user\u2066';"),
      hides("a name has a character of no width", "const tok\u200Ben = 1;"),
      hides("a name has a joiner of words", "const tok\u2060en = 1;"),
      hides("a name has a soft hyphen", "const tok\u00ADen = 1;"),
      hides("a name is a letter that is not shown", "const \u3164 = get();"),
      hides("text is written in tags", "const a = '\U000E0041\U000E0042\U000E0043';"),
      hides("text is written in selectors", "const a = 'x\uFE01\uFE02\uFE03';"),
      hides("text is written in selectors of the supplement", "const a = 'x\U000E0101\U000E0102';"),
      hides("a word has a letter of another alphabet", "const \u0430dmin = true;"),
      hides("a string has a command of the terminal", "const a = '\x1b[2J';"),
      hides("a carriage return hides the line", "steal();\r// harmless"),
      hides("a line holds a zero byte", std::string{"const a = '"} + '\0' + "';"),
      hides("text stands far behind blanks", "harmless();" + std::string(300, ' ') + "steal();"),
      hides("a line is a megabyte long", "const a = '" + std::string(1'200'000, 'x') + "';"),
      {"a text has a line of megabytes", "hidden_text",
       [](Shop const& s) { s.write("docs/data.txt", std::string(1'500'000, 'x') + "\n"); }},
      {"instructions hide text in tags", "hidden_text",
       [](Shop const& s) { s.write("AGENTS.md", "Be nice.\U000E0049\U000E0067\U000E006E\n"); }},
      {"a text is shown in another order", "hidden_text",
       [](Shop const& s) { s.append("docs/cart.md", "Send to \u202Emoc.live\n"); }},
      {"settings hide a character", "hidden_text",
       [](Shop const& s) { s.write("config/app.yml", "ad\u200Bmin: true\n"); }},
  };
}

std::vector<ChangeShape> odd() {
  return {
      {"a link leads to the passwords of the machine", "odd_files",
       [](Shop const& s) { s.link("docs/users", "/etc/passwd"); }},
      {"a link leads out of the repository", "odd_files",
       [](Shop const& s) { s.link("src/lib", "../../other"); }},
      {"a link leads into git's directory", "odd_files",
       [](Shop const& s) { s.link("tools/config", "../.git/config"); }},
      {"a file becomes a link", "odd_files",
       [](Shop const& s) { s.link("src/pay/model.js", "../user/model.js"); }},
      {"a program is committed", "odd_files",
       [](Shop const& s) {
         s.write("tools/run", std::string("\x7f"
                                          "ELF\2\1\0\0",
                                          8));
         s.make_executable("tools/run");
       }},
      {"a library is committed", "odd_files",
       [](Shop const& s) {
         s.write("native/x.so", std::string("\x7f"
                                            "ELF\0",
                                            5));
       }},
      {"an archive of Java is committed", "odd_files",
       [](Shop const& s) { s.write("lib/x.jar", std::string("PK\3\4\0", 5)); }},
      {"a name ends with a blank", "odd_files", [](Shop const& s) { s.write("src/index.js ", "x();\n"); }},
      {"a name has a character that is not shown", "odd_files",
       [](Shop const& s) { s.write("src/ind\u200Bex.js", "x();\n"); }},
      {"a name is shown in another order", "odd_files",
       [](Shop const& s) { s.write("docs/\u202Efdp.exe", "x\n"); }},
      {"a name has a line end", "odd_files", [](Shop const& s) { s.write("docs/a\nb.md", "x\n"); }},
      {"a name is a path of another system", "odd_files",
       [](Shop const& s) { s.write("src\\..\\x.js", "x();\n"); }},
  };
}

std::vector<ChangeShape> gone() {
  return {
      {"a file is overwritten by another of its size", "emptied_files",
       [](Shop const& s) { s.write(kFile, Shop::code("something_else", 100)); }},
      {"a file is overwritten by an apology", "emptied_files",
       [](Shop const& s) {
         s.write("src/pay/service.js", "I cannot do this.\n" + std::string(4'000, '\n'));
       }},
      {"code is renamed to a text", "emptied_files",
       [](Shop const& s) { s.rename("src/pay/model.js", "docs/model.txt"); }},
      {"code is renamed to a copy", "emptied_files",
       [](Shop const& s) { s.rename("src/pay/model.js", "src/pay/model.js.orig"); }},
      {"a large part of all files moves", "moved_files",
       [](Shop const& s) {
         for (auto const* area : {"cart", "pay", "user", "catalog", "mail"})
           s.rename("src/" + std::string{area}, "src/features/" + std::string{area});
       }},
  };
}

}  // namespace

TEST_CASE("OddChanges.TextThatIsNotShownIsHeld") { check_all_held(hidden()); }
TEST_CASE("OddChanges.FilesThatAreNotWhatTheySeemAreHeld") { check_all_held(odd()); }
TEST_CASE("OddChanges.ContentThatWentIsHeld") { check_all_held(gone()); }

TEST_CASE("OddChanges.OrdinaryTextsOfAllLanguagesPass") {
  Shop const shop;
  std::vector<ChangeShape> const ordinary{
      {"a family of emoji", "",
       [](Shop const& s) {
         s.append(kFile, "const icon = '\U0001F468\u200D\U0001F469\u200D\U0001F467 \u2764\uFE0F';\n");
       }},
      {"a sentence in Hebrew with marks", "",
       [](Shop const& s) { s.append("docs/cart.md", "\u05E9\u05DC\u05D5\u05DD\u200F (cart)\n"); }},
      {"a translation to Persian with joiners", "",
       [](Shop const& s) {
         s.write("locales/fa.json", "{\"a\": \"\u0645\u06CC\u200C\u062E\u0648\u0627\u0647\u0645\"}\n");
       }},
      {"a comment in Russian", "",
       [](Shop const& s) { s.append(kFile, "// \u041F\u0440\u0438\u0432\u0435\u0442 cart\n"); }},
      {"a text that begins with a mark of its encoding", "",
       [](Shop const& s) { s.write("docs/new.md", "\uFEFF# New\n"); }},
      {"lines that end as on Windows", "",
       [](Shop const& s) { s.write("src/cart/win.js", "a();\r\nb();\r\n"); }},
      {"text in Latin-1", "",
       [](Shop const& s) {
         s.write("docs/old.txt",
                 "Gr\xfc\xdf"
                 "e\n");
       }},
      {"a link within the repository", "", [](Shop const& s) { s.link("docs/latest", "cart.md"); }},
      {"a script that may be executed", "",
       [](Shop const& s) {
         s.write("scripts/seed", "#!/bin/sh\necho\n");
         s.make_executable("scripts/seed");
       }},
      {"half of a file is rewritten", "",
       [](Shop const& s) {
         auto const text = s.read(kFile);
         s.write(kFile, text.substr(0, text.size() / 2) + Shop::code("better", 50));
       }},
      {"a file is indented anew", "",
       [](Shop const& s) {
         std::string out;
         for (char const c : s.read(kFile)) out += c == '\n' ? std::string{"\n  "} : std::string{c};
         s.write(kFile, out);
       }},
      {"a file is parted in two", "",
       [](Shop const& s) {
         auto const text = s.read("src/pay/format.js");
         auto const half = text.find('\n', text.size() / 2) + 1;
         s.write("src/pay/format.js",
                 "export * from './format_a.js';\nexport * from './format_b.js';\n" + Shop::code("x", 3));
         s.write("src/pay/format_a.js", text.substr(0, half));
         s.write("src/pay/format_b.js", text.substr(half));
       }},
  };
  for (auto const& change : ordinary) {
    INFO(std::string{change.name});
    CHECK(limits_exceeded(shop, change) == std::vector<std::string>{});
  }
}
