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
    write("package.json", code("package"));
    write("package-lock.json", code("lock", 400));
    write("pyproject.toml", code("project"));
    write("poetry.lock", code("poetry", 300));
    write("README.md", code("readme"));
    write(".env.example", "TOKEN=\n");
    write(".gitignore", ".env\nnode_modules\ndist\n");
    write("Makefile", code("make"));
    write("scripts/check.sh", code("check"));
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
