// Changes that destroyed something in public incidents, made by hand in a small repository. The gate must
// hold each of them, and must say the right limit.
#include <algorithm>
#include <cstddef>

#include "runner/merging/change_shape.hpp"

using namespace andon;
using namespace andon::runner;
using test::ChangeShape;
using test::check_all_held;
using test::limits_exceeded;
using Shop = test::ShopUnderTest;

namespace {

void remove_all(Shop const& shop, std::vector<std::string> const& paths) {
  for (auto const& path : paths) shop.remove(path);
}

std::vector<std::string> tracked(Shop const& shop, std::string const& under = ".") {
  std::vector<std::string> out;
  auto const list = shop.git({"ls-files", "--", under});
  std::string_view rest = list;
  while (!rest.empty()) {
    auto const line = rest.substr(0, rest.find('\n'));
    if (!line.starts_with("themes")) out.emplace_back(line);
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
  }
  return out;
}

void each(Shop const& shop, std::string const& under, std::function<std::string(std::string)> const& change) {
  for (auto const& path : tracked(shop, under)) shop.write(path, change(shop.read(path)));
}

std::string with_other_line_ends(std::string const& text) {
  std::string out;
  for (char const c : text) out += c == '\n' ? std::string{"\r\n"} : std::string{c};
  return out;
}

std::string first_lines(std::string const& text, int count) {
  std::size_t end = 0;
  for (int i = 0; i < count; ++i) end = text.find('\n', end) + 1;
  return text.substr(0, end);
}

std::string const kTail = "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0";
std::string const kKey =
    std::string{"-----BEGIN RSA "} + "PRIVATE KEY-----\nMIIEow\n-----END RSA PRIVATE KEY-----\n";

std::vector<ChangeShape> destructions() {
  return {
      // Deletions
      {"an agent removes the source folder to start over", "deleted_files",
       [](Shop const& s) { s.remove("src"); }},
      {"a clean-up removes files that nothing seems to use", "deleted_files",
       [](Shop const& s) { remove_all(s, {"docs", "migrations", "tools/report", "src/mail"}); }},
      {"a commit from an empty checkout removes everything", "deleted_percent",
       [](Shop const& s) { remove_all(s, tracked(s)); }},
      {"only the read-me is left", "deleted_files",
       [](Shop const& s) {
         for (auto const& path : tracked(s))
           if (path != "README.md") s.remove(path);
       }},
      {"a rewrite from scratch replaces the code", "deleted_files",
       [](Shop const& s) {
         s.remove("src");
         s.write("src/app.ts", Shop::code("rewritten", 500));
       }},
      {"a sparse checkout is committed as deletions", "deleted_percent",
       [](Shop const& s) { remove_all(s, {"src/pay", "src/user", "src/catalog", "src/mail"}); }},
      {"all migrations and the docs go with a squash", "deleted_files",
       [](Shop const& s) { remove_all(s, {"migrations", "docs", "tools"}); }},
      // Emptied files
      {"a failed write leaves an empty file", "emptied_files",
       [](Shop const& s) { s.write("src/pay/service.js", ""); }},
      {"a model writes '... existing code ...' over a file", "emptied_files",
       [](Shop const& s) {
         s.write("src/cart/index.js", "// ... existing code ...\nexport default cart;\n");
       }},
      {"a module becomes a stub", "emptied_files",
       [](Shop const& s) { s.write("tools/report/plot.py", "def plot():\n    pass  # TODO\n"); }},
      {"a migration that ran is emptied", "emptied_files",
       [](Shop const& s) { s.write("migrations/002.sql", "-- moved\n"); }},
      {"the read-me is truncated", "emptied_files", [](Shop const& s) { s.write("README.md", "# Shop\n"); }},
      {"a full disk empties every file of a folder", "emptied_files",
       [](Shop const& s) { each(s, "src/user", [](std::string const&) { return std::string{}; }); }},
      {"a picture is written as nothing", "emptied_files",
       [](Shop const& s) { s.write("public/logo.png", ""); }},
      {"an error message is written instead of the file", "emptied_files",
       [](Shop const& s) { s.write("src/user/model.js", "I'm sorry, I can't help with that.\n"); }},
      // The work of others
      {"a stale branch merges main and keeps its own side", "reverted_files",
       [](Shop const& s) {
         s.git({"checkout", "-q", "-B", "work", s.base});
         s.append("src/mail/index.js", "send();\n");
         s.commit_tracked("Mail");
         s.git({"merge", "-q", "-s", "ours", "-m", "Merge main", "main"});
       }},
      {"a stale branch deletes what others added", "reverted_files",
       [](Shop const& s) {
         s.git({"checkout", "-q", "-B", "work", s.base});
         s.append("src/mail/index.js", "send();\n");
         s.commit_tracked("Mail");
         s.git({"merge", "-q", "--no-ff", "--no-commit", "main"});
         s.remove("src/cart/coupon.js");
         s.commit_tracked("Merge main");
       }},
      {"an old copy of a folder is put back over the newer one", "reverted_files",
       [](Shop const& s) { s.git({"checkout", "-q", s.base, "--", "src"}); }},
      {"a conflict is resolved to the old side of one file", "reverted_files",
       [](Shop const& s) { s.git({"checkout", "-q", s.base, "--", "src/pay/service.js"}); }},
      {"a file that others removed comes back", "reverted_files",
       [](Shop const& s) { s.git({"checkout", "-q", s.base, "--", "docs/mail.md"}); }},
      {"the last commit of somebody else is reverted", "reverted_files",
       [](Shop const& s) { s.git({"revert", "--no-edit", "HEAD"}); }},
      {"the tree of an old commit is committed on top", "reverted_files",
       [](Shop const& s) {
         s.git({"rm", "-q", "-r", "--cached", "."});
         s.git({"read-tree", s.base});
         s.git({"checkout-index", "-a", "-f"});
         s.git({"commit", "-q", "-m", "Sync"});
       }},
      {"an editor saves an old buffer", "reverted_files",
       [](Shop const& s) {
         s.write("src/catalog/routes.js", Shop::code("catalog_routes"));
         s.append("src/catalog/index.js", "more();\n");
       }},
      // Tests
      {"the failing test is deleted", "test_lines", [](Shop const& s) { s.remove("tests/pay.test.js"); }},
      {"assertions are removed until the tests pass", "test_lines",
       [](Shop const& s) { s.write("tests/cart.test.js", first_lines(s.read("tests/cart.test.js"), 40)); }},
      {"a suite becomes one trivial test", "test_lines",
       [](Shop const& s) { s.write("tests/user.test.js", Shop::code("trivial", 20)); }},
      {"the Python tests go with their folder", "test_lines", [](Shop const& s) { s.remove("tools/tests"); }},
      {"the tests of the interface are thrown away in a refactoring", "test_lines",
       [](Shop const& s) {
         s.remove("tests/api/cart.test.js");
         s.append("src/cart/service.js", "refactored();\n");
       }},
      // Generated and vendored files
      {"node_modules is committed by force", "generated_files",
       [](Shop const& s) { s.write("node_modules/left-pad/index.js", Shop::code("pad")); }},
      {"a virtual environment is committed", "generated_files",
       [](Shop const& s) { s.write("tools/.venv/lib/python3/site-packages/six.py", Shop::code("six")); }},
      {"byte code is committed", "generated_files",
       [](Shop const& s) {
         s.write("tools/report/__pycache__/main.cpython-312.pyc", std::string("\0\1", 2));
       }},
      {"the build output is committed", "generated_files",
       [](Shop const& s) { s.write("dist/bundle.js", Shop::code("bundle")); }},
      {"a vendored library is edited in place", "generated_files",
       [](Shop const& s) { s.append("vendor/jquery.js", "fixed();\n"); }},
      {"a minified bundle is committed", "generated_files",
       [](Shop const& s) { s.write("public/app.min.js", "var a=1;"); }},
      {"files of the desktop are committed", "generated_files",
       [](Shop const& s) { s.write("src/.DS_Store", std::string("\0\1Bud1", 6)); }},
      // Lock files
      {"a lock file is rewritten against another registry", "lock_files",
       [](Shop const& s) { s.write("package-lock.json", Shop::code("other_registry", 420)); }},
      {"one entry of a lock file points to a look-alike host", "lock_files",
       [](Shop const& s) {
         s.append("package-lock.json", "\"resolved\": \"https://registry.npmjs.help/a\"\n");
       }},
      {"the lock file is deleted to make the install pass", "lock_files",
       [](Shop const& s) { s.remove("package-lock.json"); }},
      {"the lock of the tools is upgraded on the way", "lock_files",
       [](Shop const& s) { s.write("poetry.lock", Shop::code("newer", 310)); }},
      // Secrets
      {"the .env file is committed", "secret_files",
       [](Shop const& s) { s.write(".env", "DATABASE_URL=postgres://shop:hunter2@db/shop\n"); }},
      {"the production settings are committed in a subfolder", "secret_files",
       [](Shop const& s) { s.write("config/.env.production", "TOKEN=1\n"); }},
      {"an SSH key is committed", "secret_files", [](Shop const& s) { s.write("deploy/id_ed25519", kKey); }},
      {"a private key is committed under a harmless name", "secret_files",
       [](Shop const& s) { s.write("deploy/notes.txt", "The key:\n" + kKey); }},
      {"a key of a cloud account stands in the source", "secret_files",
       [](Shop const& s) {
         s.append("src/mail/service.js", std::string{"const k = 'AKIA"} + "Q3EGRW5TZ7YUX2PM';\n");
       }},
      {"a token of the code host stands in a script", "secret_files",
       [](Shop const& s) { s.write("scripts/release.sh", std::string{"T=ghp"} + "_" + kTail + "\n"); }},
      {"a token of the chat stands in the tests", "secret_files",
       [](Shop const& s) {
         s.append("tests/mail.test.js", std::string{"'xox"} + "b-1234567890-0987654321-a1B2c3D4'\n");
       }},
      {"a key of a model provider stands in the docs", "secret_files",
       [](Shop const& s) { s.append("docs/cart.md", std::string{"export KEY=sk"} + "-" + kTail + "\n"); }},
      {"the key of a service account is committed", "secret_files",
       [](Shop const& s) { s.write("service-account-prod.json", "{\"type\": \"service_account\"}\n"); }},
      {"the state of the infrastructure is committed", "secret_files",
       [](Shop const& s) { s.write("infra/terraform.tfstate", "{\"version\": 4}\n"); }},
      // Size
      {"every line end of the repository changes", "lines",
       [](Shop const& s) { each(s, ".", with_other_line_ends); }},
      {"a dump of twelve thousand rows is committed", "lines",
       [](Shop const& s) { s.write("src/catalog/seed.js", Shop::code("row", 12'000)); }},
      {"a dump of the database in one line is committed", "bytes",
       [](Shop const& s) { s.write("backup.sql", std::string(6'000'000, 'x')); }},
      {"a log is appended to a tracked file", "bytes",
       [](Shop const& s) { s.append("docs/pay.md", std::string(6'000'000, 'y')); }},
      {"twenty screenshots are committed", "binary_files",
       [](Shop const& s) {
         for (int i = 0; i < 20; ++i)
           s.write("shots/" + std::to_string(i) + ".png", std::string("\x89PNG\0", 5) + std::to_string(i));
       }},
      // Submodules
      {"a submodule is set to a commit nobody has", "submodules",
       [](Shop const& s) {
         s.git({"update-index", "--cacheinfo", "160000," + std::string(40, 'b') + ",themes/dark"});
       }},
      {"a folder becomes a submodule by accident", "submodules",
       [](Shop const& s) {
         s.git({"update-index", "--add", "--cacheinfo", "160000," + std::string(40, 'c') + ",themes/nested"});
       }},
      // Checks
      {"the CI is deleted", "check_files", [](Shop const& s) { s.remove(".github/workflows/ci.yml"); }},
      {"the CI step gets '|| true'", "check_files",
       [](Shop const& s) { s.append(".github/workflows/ci.yml", "  - run: npm test || true\n"); }},
      {"the board's check script always passes", "check_files",
       [](Shop const& s) { s.write("scripts/check.sh", "exit 0\n" + s.read("scripts/check.sh")); }},
      {"the hooks before a commit are switched off", "check_files",
       [](Shop const& s) { s.append(".pre-commit-config.yaml", "exclude: .*\n"); }},
      {"the owners of the code are changed", "check_files",
       [](Shop const& s) { s.write(".github/CODEOWNERS", "* @bot\n"); }},
      // Outside the task
      {"a fix of the cart changes the payment too",
       "outside_touches",
       [](Shop const& s) {
         s.append("src/cart/model.js", "fixed();\n");
         s.append("src/pay/model.js", "fixed();\n");
       },
       {"src/cart/**", "tests/cart.test.js"}},
      {"a formatter runs over other modules",
       "outside_touches",
       [](Shop const& s) { each(s, "src", [](std::string const& text) { return " " + text; }); },
       {"src/mail"}},
  };
}

}  // namespace

TEST_CASE("DestructiveChanges.AllAreHeldForTheRightReason") {
  auto const all = destructions();
  CHECK(all.size() >= 50);
  check_all_held(all);
}

TEST_CASE("DestructiveChanges.OrdinaryWorkInTheSameRepositoryPasses") {
  Shop const shop;
  std::vector<ChangeShape> const ordinary{
      {"a feature with its test", "",
       [](Shop const& s) {
         s.append("src/cart/service.js", Shop::code("gift", 80));
         s.append("tests/cart.test.js", Shop::code("gift_test", 60));
       }},
      {"a dependency with its lock", "",
       [](Shop const& s) {
         s.replace("package.json", "\"left-pad\"", "\"zod\": \"3.0.0\",\n    \"left-pad\"");
         s.write("package-lock.json", Shop::code("lock", 430));
       }},
      {"a folder that moves", "", [](Shop const& s) { s.rename("src/mail", "src/messages"); }},
      {"a file that is no longer needed", "", [](Shop const& s) { s.remove("src/user/format.js"); }},
      {"a test that is rewritten", "",
       [](Shop const& s) { s.write("tests/mail.test.js", Shop::code("better", 90)); }},
      {"a new setting in the example", "", [](Shop const& s) { s.append(".env.example", "PORT=\n"); }},
      {"two pictures", "",
       [](Shop const& s) {
         s.write("public/a.png", std::string("\x89PNG\0", 5));
         s.write("public/b.png", std::string("\x89PNG\0\1", 6));
       }},
      {"a file in half the lines", "",
       [](Shop const& s) { s.write("src/pay/format.js", first_lines(s.read("src/pay/format.js"), 50)); }},
      {"work within its touches",
       "",
       [](Shop const& s) { s.append("src/pay/model.js", "a();\n"); },
       {"src/pay/**"}},
  };
  for (auto const& change : ordinary) {
    INFO(std::string{change.name});
    CHECK(limits_exceeded(shop, change).empty());
  }
}
