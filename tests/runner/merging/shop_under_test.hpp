#pragma once

#include <map>
#include <string>

#include "runner/merging/repository_under_test.hpp"

namespace andon::test {

/// A repository of about sixty files, shaped like a small shop in JavaScript with tools in Python. Its `main`
/// has a first commit, `base`, and some commits of others behind it.
class ShopUnderTest : public RepositoryUnderTest {
 public:
  ShopUnderTest() {
    for (auto const* area : {"cart", "pay", "user", "catalog", "mail"}) {
      for (auto const* part : {"index", "model", "routes", "service", "format"})
        write("src/" + std::string{area} + "/" + part + ".js", code(std::string{area} + "_" + part));
      write("tests/" + std::string{area} + ".test.js", code("test_" + std::string{area}));
      write("tests/api/" + std::string{area} + ".test.js", code("api_" + std::string{area}));
      write("docs/" + std::string{area} + ".md", code("about " + std::string{area}));
    }
    for (auto const* part : {"__init__", "main", "load", "plot", "cli"})
      write("tools/report/" + std::string{part} + ".py", code(std::string{"report_"} + part));
    for (auto const* part : {"test_load", "test_plot", "conftest"})
      write("tools/tests/" + std::string{part} + ".py", code(part));
    for (int i = 1; i <= 4; ++i)
      write("migrations/00" + std::to_string(i) + ".sql", code("create_" + std::to_string(i)));
    write("package.json", package());
    write("package-lock.json", code("lock", 400));
    write("pyproject.toml", code("project"));
    write("poetry.lock", code("poetry", 300));
    write("README.md", code("readme"));
    write(".env.example", "TOKEN=\n");
    write(".gitignore", ".env\nnode_modules\ndist\n");
    write("Makefile", "test:\n\tsh scripts/check.sh\n\nlint:\n\tnpx eslint src\n");
    write("scripts/check.sh",
          "set -e\n. scripts/lib.sh\nnpm test\npython3 tools/ci/report.py\n" + code("check"));
    write("scripts/lib.sh", code("lib"));
    write("tools/ci/report.py", "import ci_format\n" + code("report"));
    write("tools/ci/ci_format.py", code("ci_format"));
    write("eslint.config.js", code("eslint"));
    write("tests/price.test.js", price_test());
    write("tools/tests/test_total.py", total_test());
    write("pkg/total_test.go", go_test());
    write("pkg/total.go", code("total"));
    write("native/price_test.cpp", native_test());
    write("native/price.cpp", code("price"));
    write("crates/price.rs", rust_test());
    write("setup.cfg", "[metadata]\nname = shop\n\n[tool:pytest]\ntestpaths = tools/tests\n");
    write("CMakeLists.txt",
          "project(shop)\nadd_executable(price native/price.cpp)\nenable_testing()\n"
          "add_test(NAME price COMMAND price_test)\n");
    write("requirements.txt", "flask==3.0\nrequests==2.32\n");
    write("go.mod", "module shop\n\ngo 1.22\n\nrequire github.com/a/b v1.2.3\n");
    write("Cargo.toml", "[package]\nname = \"shop\"\n\n[dependencies]\nserde = \"1\"\n");
    write("vendor/jquery.js", code("jquery"));
    write("public/logo.png", std::string("\x89PNG\0\0", 6) + code("pixels"));
    write(".github/workflows/ci.yml", code("ci"));
    write(".github/CODEOWNERS", "* @ann\n");
    write(".pre-commit-config.yaml", code("hooks"));
    git({"add", "-A", "-f", "."});
    git({"update-index", "--add", "--cacheinfo", "160000," + std::string(40, 'a') + ",themes/dark"});
    git({"commit", "-q", "-m", "Begin"});
    base = head();
    write("src/cart/model.js", read("src/cart/model.js") + "const limit = 9;\n");
    write("src/cart/coupon.js", code("coupon"));
    commit_tracked("Limit carts");
    write("src/pay/service.js", read("src/pay/service.js") + "refund();\n");
    remove("docs/mail.md");
    commit_tracked("Refund");
    for (auto const* area : {"user", "catalog"})
      write("src/" + std::string{area} + "/routes.js", code(std::string{area} + "_routes", 110));
    commit_tracked("Add routes");
    tip = head();
  }

  static std::string package() {
    return "{\n  \"name\": \"shop\",\n  \"version\": \"1.0.0\",\n  \"scripts\": {\n"
           "    \"build\": \"vite build\",\n    \"test\": \"node --test tests\"\n  },\n"
           "  \"dependencies\": {\n    \"left-pad\": \"1.3.0\"\n  },\n"
           "  \"devDependencies\": {\n    \"vite\": \"5.0.0\"\n  }\n}\n";
  }
  static std::string price_test() {
    std::string out = "import assert from 'node:assert';\nimport { price } from '../src/cart/index.js';\n";
    for (int i = 0; i < 8; ++i) {
      auto const n = std::to_string(i);
      out += "test('price of " + n + "', () => {\n  assert.equal(price(" + n + "), " + n +
             "0);\n  expect(price(" + n + ")).toBeGreaterThan(-1);\n});\n";
    }
    return out;
  }
  static std::string total_test() {
    std::string out = "import pytest\nfrom report import total\n\n";
    for (int i = 0; i < 8; ++i) {
      auto const n = std::to_string(i);
      out += "def test_total_" + n + "():\n    assert total(" + n + ") == " + n + "\n    assert total(-" + n +
             ") < 1\n\n";
    }
    return out;
  }
  static std::string go_test() {
    std::string out = "package pkg\n\nimport \"testing\"\n\n";
    for (int i = 0; i < 6; ++i) {
      auto const n = std::to_string(i);
      out += "func TestTotal" + n + "(t *testing.T) {\n\tif Total(" + n + ") != " + n +
             " {\n\t\tt.Errorf(\"total " + n + "\")\n\t}\n}\n\n";
    }
    return out;
  }
  static std::string native_test() {
    std::string out = "#include \"price.hpp\"\n\n";
    for (int i = 0; i < 6; ++i) {
      auto const n = std::to_string(i);
      out += "TEST(Price, Of" + n + ") {\n  EXPECT_EQ(price(" + n + "), " + n +
             ");\n  ASSERT_TRUE(is_price(" + n + "));\n}\n";
    }
    return out;
  }
  static std::string rust_test() {
    std::string out = "pub fn price(n: i32) -> i32 { n }\n\n#[cfg(test)]\nmod tests {\n";
    for (int i = 0; i < 4; ++i) {
      auto const n = std::to_string(i);
      out +=
          "    #[test]\n    fn of_" + n + "() {\n        assert_eq!(price(" + n + "), " + n + ");\n    }\n";
    }
    return out + "}\n";
  }

  /// Some lines of text, different for each name.
  static std::string code(std::string const& name, int lines = 100) {
    std::string out;
    for (int i = 0; i < lines; ++i)
      out +=
          "export const " + name + "_" + std::to_string(i) + " = compute(" + std::to_string(i * 7) + ");\n";
    return out;
  }
  /// Commits the files, and leaves the submodule, whose directory is not there, as it is.
  std::string commit_tracked(std::string const& subject) const {
    git({"add", "-A", "-f", ".", ":(exclude)themes"});
    git({"commit", "-q", "--allow-empty", "-m", subject});
    return head();
  }
  void append(std::string const& path, std::string const& text) const { write(path, read(path) + text); }

  std::string base;
  std::string tip;
};

}  // namespace andon::test
