// Three forms of files are read, none of them by a parser that could be led astray: JSON by its nesting and
// its keys, files with `[sections]` line by line, and others by words that a line with such a part has. An
// agent may write anything into them, so a text whose nesting makes no sense is compared by words too.
#include "core/runs/obeyed_parts.hpp"

#include <algorithm>
#include <array>

#include "core/runs/path_pattern.hpp"
#include "core/text/ascii.hpp"

namespace andon::core {
namespace {

enum class Form { json, sections, words };

/// A part of a file that is executed or obeyed.
struct ObeyedRow {
  std::string_view file;  ///< its name; `*` stands for any bytes
  Form form;
  std::string_view part;    ///< the key at the top, the beginning of the section, or a word of the line
  std::string_view tool{};  ///< the program that reads it; any when empty
};
constexpr std::array kObeyed{
    // clang-format off
    // npm: scripts and the keys of tools that are configured in package.json.
    ObeyedRow{"package.json", Form::json, "scripts"},        ObeyedRow{"package.json", Form::json, "bin"},
    ObeyedRow{"package.json", Form::json, "gypfile"},        ObeyedRow{"package.json", Form::json, "jest"},
    ObeyedRow{"package.json", Form::json, "mocha"},          ObeyedRow{"package.json", Form::json, "ava"},
    ObeyedRow{"package.json", Form::json, "nyc"},            ObeyedRow{"package.json", Form::json, "c8"},
    ObeyedRow{"package.json", Form::json, "tap"},            ObeyedRow{"package.json", Form::json, "vitest"},
    ObeyedRow{"package.json", Form::json, "husky"},          ObeyedRow{"package.json", Form::json, "lint-staged"},
    ObeyedRow{"package.json", Form::json, "pre-commit"},     ObeyedRow{"package.json", Form::json, "pre-push"},
    ObeyedRow{"package.json", Form::json, "simple-git-hooks"}, ObeyedRow{"package.json", Form::json, "githooks"},
    ObeyedRow{"package.json", Form::json, "overrides"},      ObeyedRow{"package.json", Form::json, "resolutions"},
    ObeyedRow{"package.json", Form::json, "pnpm"},           ObeyedRow{"package.json", Form::json, "publishconfig"},
    ObeyedRow{"package.json", Form::json, "packagemanager"}, ObeyedRow{"package.json", Form::json, "trusteddependencies"},
    ObeyedRow{"package.json", Form::json, "eslintconfig", "eslint"},
    ObeyedRow{"package.json", Form::json, "eslintignore", "eslint"},
    ObeyedRow{"composer.json", Form::json, "scripts"},       ObeyedRow{"composer.json", Form::json, "repositories"},
    ObeyedRow{"composer.json", Form::json, "config"},
    ObeyedRow{"deno.json*", Form::json, "tasks"},            ObeyedRow{"deno.json*", Form::json, "test"},

    // Python: build backends, test runners, coverage, indexes, tasks.
    ObeyedRow{"pyproject.toml", Form::sections, "build-system"},
    ObeyedRow{"pyproject.toml", Form::sections, "tool.pytest"},
    ObeyedRow{"pyproject.toml", Form::sections, "pytest"},
    ObeyedRow{"pyproject.toml", Form::sections, "tool.coverage"},
    ObeyedRow{"pyproject.toml", Form::sections, "tool.tox"},
    ObeyedRow{"pyproject.toml", Form::sections, "tool.hatch.envs"},
    ObeyedRow{"pyproject.toml", Form::sections, "tool.hatch.build.hooks"},
    ObeyedRow{"pyproject.toml", Form::sections, "tool.pdm.scripts"},
    ObeyedRow{"pyproject.toml", Form::sections, "tool.pdm.source"},
    ObeyedRow{"pyproject.toml", Form::sections, "tool.poe"},
    ObeyedRow{"pyproject.toml", Form::sections, "tool.taskipy"},
    ObeyedRow{"pyproject.toml", Form::sections, "tool.poetry.source"},
    ObeyedRow{"pyproject.toml", Form::sections, "tool.poetry.build"},
    ObeyedRow{"pyproject.toml", Form::sections, "tool.uv.index"},
    ObeyedRow{"pyproject.toml", Form::sections, "tool.uv.sources"},
    ObeyedRow{"pyproject.toml", Form::sections, "tool.ruff", "ruff"},
    ObeyedRow{"pyproject.toml", Form::sections, "tool.mypy", "mypy"},
    ObeyedRow{"pyproject.toml", Form::sections, "tool.pylint", "pylint"},
    ObeyedRow{"pyproject.toml", Form::sections, "tool.pyright", "pyright"},
    ObeyedRow{"setup.cfg", Form::sections, "tool:pytest"},   ObeyedRow{"setup.cfg", Form::sections, "pytest"},
    ObeyedRow{"setup.cfg", Form::sections, "aliases"},       ObeyedRow{"setup.cfg", Form::sections, "coverage"},
    ObeyedRow{"setup.cfg", Form::sections, "easy_install"},  ObeyedRow{"setup.cfg", Form::sections, "testenv"},
    ObeyedRow{"setup.cfg", Form::sections, "tox"},           ObeyedRow{"setup.cfg", Form::sections, "flake8", "flake8"},
    ObeyedRow{"setup.cfg", Form::sections, "mypy", "mypy"},
    ObeyedRow{"pipfile", Form::sections, "source"},          ObeyedRow{"pipfile", Form::sections, "scripts"},

    // Cargo: what is built and run for tests, and where crates come from.
    ObeyedRow{"cargo.toml", Form::sections, "patch"},        ObeyedRow{"cargo.toml", Form::sections, "replace"},
    ObeyedRow{"cargo.toml", Form::sections, "[test"},        ObeyedRow{"cargo.toml", Form::sections, "profile.test"},
    ObeyedRow{"cargo.toml", Form::words, "build ="},         ObeyedRow{"cargo.toml", Form::words, "test ="},
    ObeyedRow{"cargo.toml", Form::words, "harness"},         ObeyedRow{"cargo.toml", Form::words, "autotests"},

    // Requirements, Go, Bundler: where packages come from.
    ObeyedRow{"*requirements*.txt", Form::words, "index-url"}, ObeyedRow{"*requirements*.txt", Form::words, "find-links"},
    ObeyedRow{"*requirements*.txt", Form::words, "trusted-host"}, ObeyedRow{"*requirements*.txt", Form::words, "://"},
    ObeyedRow{"go.mod", Form::words, "replace"},
    ObeyedRow{"go.mod", Form::words, "=>"},                  ObeyedRow{"gemfile", Form::words, "source"},
    ObeyedRow{"gemfile", Form::words, "git:"},               ObeyedRow{"gemfile", Form::words, "path:"},

    // CMake, Meson, Maven, Gradle, Bazel: which tests are there, and whether their failures count.
    ObeyedRow{"cmakelists.txt", Form::words, "add_test"},    ObeyedRow{"cmakelists.txt", Form::words, "enable_testing"},
    ObeyedRow{"cmakelists.txt", Form::words, "set_tests_properties"},
    ObeyedRow{"cmakelists.txt", Form::words, "will_fail"},   ObeyedRow{"cmakelists.txt", Form::words, "discover_tests"},
    ObeyedRow{"cmakelists.txt", Form::words, "execute_process"},
    ObeyedRow{"meson.build", Form::words, "test("},          ObeyedRow{"meson.build", Form::words, "should_fail"},
    ObeyedRow{"pom.xml", Form::words, "skip"},               ObeyedRow{"pom.xml", Form::words, "testfailureignore"},
    ObeyedRow{"pom.xml", Form::words, "exclude"},            ObeyedRow{"pom.xml", Form::words, "<repository>"},
    ObeyedRow{"pom.xml", Form::words, "<url>"},              ObeyedRow{"pom.xml", Form::words, "exec-maven"},
    ObeyedRow{"*.gradle*", Form::words, "ignorefailures"},   ObeyedRow{"*.gradle*", Form::words, "enabled ="},
    ObeyedRow{"*.gradle*", Form::words, "maven {"},          ObeyedRow{"*.gradle*", Form::words, "maven("},
    ObeyedRow{"*.gradle*", Form::words, "url"},
    ObeyedRow{"*.csproj", Form::words, "<exec"},             ObeyedRow{"*.csproj", Form::words, "istestproject"},
    ObeyedRow{"build.bazel", Form::words, "_test("},         ObeyedRow{"build.bazel", Form::words, "flaky"},
    // clang-format on
};

constexpr std::size_t kLongestPart = 400;

/// Beginnings of versions that are fetched from elsewhere than the registry (package.json of npm).
constexpr std::array<std::string_view, 9> kElsewhere{"http:", "https:", "git:", "git+",   "git@",
                                                     "file:", "link:",  "npm:", "github:"};

bool is_meant(ObeyedRow const& row, std::vector<std::string> const& tools) {
  return row.tool.empty() || std::ranges::find(tools, row.tool) != tools.end();
}

std::string_view trimmed(std::string_view line) {
  auto const first = line.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return line.substr(first, line.find_last_not_of(" \t\r") - first + 1);
}

std::string part_of(std::string_view text) { return std::string{text.substr(0, kLongestPart)}; }

template <class Take>
void for_each_line(std::string_view text, Take take) {
  while (!text.empty()) {
    auto const line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (auto const inner = trimmed(line); !inner.empty()) take(inner);
  }
}

/// Reads the strings, keys and other values of a JSON text with the key at the top that each stands under.
/// Nothing of it is trusted to be well formed.
class JsonParts {
 public:
  explicit JsonParts(std::string_view text) : rest_(text) {}

  template <class Take>
  void each(Take take) {
    for (skip_blanks(); !rest_.empty(); skip_blanks()) step(take);
  }

 private:
  void skip_blanks() {
    auto const first = rest_.find_first_not_of(" \t\r\n,");
    rest_.remove_prefix(std::min(first, rest_.size()));
  }

  template <class Take>
  void step(Take& take) {
    char const c = rest_.front();
    if (c == '{' || c == '[') {
      ++depth_;
      rest_.remove_prefix(1);
    } else if (c == '}' || c == ']') {
      --depth_;
      rest_.remove_prefix(1);
    } else {
      value(take);
    }
  }

  template <class Take>
  void value(Take& take) {
    auto const word = rest_.front() == '"' ? quoted() : bare();
    auto const next = rest_.find_first_not_of(" \t\r\n");
    bool const is_key = next != std::string_view::npos && rest_[next] == ':';
    if (is_key) rest_.remove_prefix(next + 1);
    if (is_key && depth_ <= 1) top_ = ascii_lower(word);
    if (is_key)
      key_ = word;
    else
      take(top_, key_, word);
  }

  std::string_view quoted() {
    std::size_t end = 1;
    while (end < rest_.size() && rest_[end] != '"') end += rest_[end] == '\\' ? 2 : 1;
    end = std::min(end, rest_.size());
    auto const word = rest_.substr(1, end - 1);
    rest_.remove_prefix(std::min(rest_.size(), end + 1));
    return word;
  }

  std::string_view bare() {
    auto const end = std::max<std::size_t>(1, std::min(rest_.find_first_of(" \t\r\n,:{}[]\""), rest_.size()));
    auto const word = rest_.substr(0, end);
    rest_.remove_prefix(end);
    return word;
  }

  std::string_view rest_;
  std::string top_;
  std::string_view key_;
  int depth_ = 0;
};

bool is_fetched_from_elsewhere(std::string_view top, std::string_view word) {
  if (!top.ends_with("dependencies")) return false;
  return std::ranges::any_of(kElsewhere,
                             [&](std::string_view beginning) { return word.starts_with(beginning); });
}

using Rows = std::vector<ObeyedRow>;

bool has_part(Rows const& rows, Form form, std::string_view part) {
  return std::ranges::any_of(rows,
                             [&](ObeyedRow const& row) { return row.form == form && row.part == part; });
}

void add_json(Rows const& rows, std::string_view text, std::vector<std::string>& out) {
  JsonParts{text}.each([&](std::string_view top, std::string_view key, std::string_view word) {
    if (!has_part(rows, Form::json, top) && !is_fetched_from_elsewhere(top, word)) return;
    out.push_back(part_of(std::string{top} + "." + std::string{key} + ": " + std::string{word}));
  });
}

/// The name in `[name]` or `[[name]]`, the latter with one bracket at its front.
std::string section_name(std::string_view line) {
  auto const name = line.substr(1, line.find(']') - 1);
  auto const dot_free = ascii_lower(name);
  return dot_free;
}

bool begins_with_part(Rows const& rows, std::string_view section) {
  if (section.starts_with('[') && !section.starts_with("[test")) section.remove_prefix(1);
  return std::ranges::any_of(rows, [&](ObeyedRow const& row) {
    return row.form == Form::sections && section.starts_with(row.part);
  });
}

void add_sections(Rows const& rows, std::string_view text, std::vector<std::string>& out) {
  std::string section;
  bool is_obeyed = false;
  for_each_line(text, [&](std::string_view line) {
    if (line.starts_with('[')) {
      section = section_name(line);
      is_obeyed = begins_with_part(rows, section);
      return;
    }
    bool const is_remark = line.starts_with('#') || line.starts_with(';');
    if (is_obeyed && !is_remark) out.push_back(part_of("[" + section + "] " + std::string{line}));
  });
}

void add_words(Rows const& rows, std::string_view text, std::vector<std::string>& out) {
  for_each_line(text, [&](std::string_view line) {
    if (line.starts_with('#') || line.starts_with("//")) return;
    auto const small = ascii_lower(line);
    bool const is_obeyed = std::ranges::any_of(rows, [&](ObeyedRow const& row) {
      return row.form == Form::words && small.find(row.part) != std::string::npos;
    });
    if (is_obeyed) out.push_back(part_of(line));
  });
}

Rows rows_of(std::string_view path) {
  Rows out;
  std::ranges::copy_if(kObeyed, std::back_inserter(out),
                       [&](ObeyedRow const& row) { return is_like(path, PathPart::name, row.file); });
  return out;
}

bool has_form(Rows const& rows, Form form) {
  return std::ranges::any_of(rows, [&](ObeyedRow const& row) { return row.form == form; });
}

}  // namespace

bool has_obeyed_parts(std::string_view path) { return !rows_of(path).empty(); }

std::vector<std::string> obeyed_parts(std::string_view path, std::string_view text,
                                      std::vector<std::string> const& tools) {
  auto rows = rows_of(path);
  std::erase_if(rows, [&](ObeyedRow const& row) { return !is_meant(row, tools); });
  std::vector<std::string> out;
  if (has_form(rows, Form::json)) add_json(rows, text, out);
  if (has_form(rows, Form::sections)) add_sections(rows, text, out);
  if (has_form(rows, Form::words)) add_words(rows, text, out);
  return out;
}

}  // namespace andon::core
