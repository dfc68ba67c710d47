#include "core/runs/path_kinds.hpp"

#include <algorithm>
#include <array>

#include "core/runs/path_pattern.hpp"
#include "core/text/ascii.hpp"

namespace andon::core {
namespace {

struct PathRow {
  PathKind kind;
  PathPart part;
  std::string_view pattern;
};
constexpr auto path_rows() {
  using enum PathKind;
  using enum PathPart;
  return std::array{
      // clang-format off
      PathRow{test, folder, "test"},             PathRow{test, folder, "tests"},
      PathRow{test, folder, "__tests__"},        PathRow{test, folder, "spec"},
      PathRow{test, folder, "specs"},            PathRow{test, folder, "e2e"},
      PathRow{test, folder, "cypress"},          PathRow{test, folder, "__snapshots__"},
      PathRow{test, name, "test_*"},             PathRow{test, name, "*_test.*"},
      PathRow{test, name, "*.test.*"},           PathRow{test, name, "*.spec.*"},
      PathRow{test, name, "*_spec.*"},           PathRow{test, name, "*_tests.*"},
      PathRow{test, name, "*test.java"},         PathRow{test, name, "*tests.java"},
      PathRow{test, name, "*test.kt"},           PathRow{test, name, "*tests.cs"},
      PathRow{test, name, "*test.php"},          PathRow{test, name, "conftest.py"},

      PathRow{generated, folder, "node_modules"},  PathRow{generated, folder, "bower_components"},
      PathRow{generated, folder, "__pycache__"},   PathRow{generated, folder, ".venv"},
      PathRow{generated, folder, "venv"},          PathRow{generated, folder, "site-packages"},
      PathRow{generated, folder, ".next"},         PathRow{generated, folder, ".nuxt"},
      PathRow{generated, folder, ".tox"},          PathRow{generated, folder, ".pytest_cache"},
      PathRow{generated, folder, ".mypy_cache"},   PathRow{generated, folder, ".gradle"},
      PathRow{generated, folder, ".terraform"},    PathRow{generated, folder, ".idea"},
      PathRow{generated, folder, "pods"},          PathRow{generated, folder, "*.egg-info"},
      PathRow{generated, folder, ".cache"},        PathRow{generated, folder, ".parcel-cache"},
      PathRow{generated, folder, "vendor"},        PathRow{generated, folder, "third_party"},
      PathRow{generated, name, "*.min.js"},        PathRow{generated, name, "*.min.css"},
      PathRow{generated, name, "*.js.map"},        PathRow{generated, name, "*.css.map"},
      PathRow{generated, name, "*.pyc"},           PathRow{generated, name, "*.class"},
      PathRow{generated, name, "*.o"},             PathRow{generated, name, "*.generated.*"},
      PathRow{generated, name, "*_pb2.py"},        PathRow{generated, name, "*.pb.go"},
      PathRow{generated, name, "*.pb.cc"},         PathRow{generated, name, "*.pb.h"},
      PathRow{generated, name, ".ds_store"},       PathRow{generated, name, "thumbs.db"},
      PathRow{generated, name, "npm-debug.log"},
      PathRow{generated_when_new, folder, "dist"},     PathRow{generated_when_new, folder, "build"},
      PathRow{generated_when_new, folder, "target"},   PathRow{generated_when_new, folder, "coverage"},
      PathRow{generated_when_new, folder, "htmlcov"},

      PathRow{secret, name, ".env"},               PathRow{secret, name, ".env.*"},
      PathRow{secret, name, "*.env"},              PathRow{secret, name, ".envrc"},
      PathRow{secret, name, "id_rsa"},             PathRow{secret, name, "id_dsa"},
      PathRow{secret, name, "id_ecdsa"},           PathRow{secret, name, "id_ed25519"},
      PathRow{secret, name, "*.pem"},              PathRow{secret, name, "*.key"},
      PathRow{secret, name, "*.p12"},              PathRow{secret, name, "*.pfx"},
      PathRow{secret, name, "*.ppk"},              PathRow{secret, name, "*.jks"},
      PathRow{secret, name, "*.keystore"},         PathRow{secret, name, "*.kdbx"},
      PathRow{secret, name, "*.ovpn"},             PathRow{secret, name, ".netrc"},
      PathRow{secret, name, "_netrc"},             PathRow{secret, name, ".pgpass"},
      PathRow{secret, name, ".pypirc"},            PathRow{secret, name, ".git-credentials"},
      PathRow{secret, name, ".htpasswd"},          PathRow{secret, name, ".dockercfg"},
      PathRow{secret, name, "kubeconfig"},         PathRow{secret, name, "*.tfstate"},
      PathRow{secret, name, "*.tfstate.backup"},   PathRow{secret, name, "*.tfvars"},
      PathRow{secret, name, "credentials.json"},   PathRow{secret, name, "service-account*.json"},
      PathRow{secret, name, "service_account*.json"}, PathRow{secret, name, "client_secret*.json"},
      PathRow{secret, name, "secrets.json"},       PathRow{secret, name, "secrets.yml"},
      PathRow{secret, name, "secrets.yaml"},       PathRow{secret, name, "secrets.toml"},
      PathRow{secret, end, ".aws/credentials"},    PathRow{secret, end, ".docker/config.json"},
      PathRow{secret, end, ".kube/config"},        PathRow{secret, folder, ".ssh"},
      // clang-format on
  };
}
constexpr auto kPaths = path_rows();

/// Beginnings and ends of names that hold examples where others hold secrets.
constexpr std::array<std::string_view, 7> kExamples{"example", "sample",   "template", "dist",
                                                    "default", "defaults", "tmpl"};

struct LockRow {
  std::string_view lock;
  std::string_view manifest;  ///< may have a `*` at its front
};
constexpr std::array kLocks{
    LockRow{"package-lock.json", "package.json"},
    LockRow{"npm-shrinkwrap.json", "package.json"},
    LockRow{"yarn.lock", "package.json"},
    LockRow{"pnpm-lock.yaml", "package.json"},
    LockRow{"pnpm-lock.yaml", "pnpm-workspace.yaml"},
    LockRow{"bun.lock", "package.json"},
    LockRow{"bun.lockb", "package.json"},
    LockRow{"deno.lock", "deno.json"},
    LockRow{"poetry.lock", "pyproject.toml"},
    LockRow{"uv.lock", "pyproject.toml"},
    LockRow{"pdm.lock", "pyproject.toml"},
    LockRow{"pipfile.lock", "pipfile"},
    LockRow{"cargo.lock", "cargo.toml"},
    LockRow{"go.sum", "go.mod"},
    LockRow{"composer.lock", "composer.json"},
    LockRow{"gemfile.lock", "gemfile"},
    LockRow{"gemfile.lock", "*.gemspec"},
    LockRow{"flake.lock", "flake.nix"},
    LockRow{"mix.lock", "mix.exs"},
    LockRow{"pubspec.lock", "pubspec.yaml"},
    LockRow{"podfile.lock", "podfile"},
    LockRow{"gradle.lockfile", "*.gradle"},
    LockRow{"gradle.lockfile", "*.gradle.kts"},
    LockRow{"packages.lock.json", "*.csproj"},
    LockRow{".terraform.lock.hcl", "*.tf"},
};

/// True for the name of an example: `.env.example`, `sample.env`.
bool is_example(std::string_view name) {
  return std::ranges::any_of(kExamples, [&](std::string_view word) {
    auto const small = ascii_lower(name);
    return small.ends_with("." + std::string{word}) || small.starts_with(std::string{word} + ".") ||
           small.find("." + std::string{word} + ".") != std::string::npos;
  });
}

}  // namespace

bool is_of_kind(std::string_view path, PathKind kind) {
  if (kind == PathKind::secret && is_example(name_of_path(path))) return false;
  return std::ranges::any_of(
      kPaths, [&](PathRow const& row) { return row.kind == kind && is_like(path, row.part, row.pattern); });
}

std::vector<std::string_view> manifests_of(std::string_view path) {
  std::vector<std::string_view> out;
  for (auto const& row : kLocks)
    if (is_ascii_equal(name_of_path(path), row.lock)) out.push_back(row.manifest);
  return out;
}

bool is_manifest(std::string_view path, std::string_view manifest) {
  return is_like(path, PathPart::name, manifest);
}

}  // namespace andon::core
