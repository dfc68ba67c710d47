#include "runner/git/git_settings.hpp"

#include <algorithm>
#include <array>

#include "api/operation.hpp"

namespace andon::runner {
namespace {

/// Allowed keys as git prints them, with section and name in lower case. An entry that ends in a dot allows
/// all names of its section; `*` stands for a subsection.
constexpr std::array<std::string_view, 94> kAllowed{
    "core.repositoryformatversion",
    "core.bare",
    "core.filemode",
    "core.symlinks",
    "core.ignorecase",
    "core.precomposeunicode",
    "core.protecthfs",
    "core.protectntfs",
    "core.autocrlf",
    "core.eol",
    "core.safecrlf",
    "core.checkroundtripencoding",
    "core.bigfilethreshold",
    "core.compression",
    "core.loosecompression",
    "core.logallrefupdates",
    "core.sharedrepository",
    "core.fsync",
    "core.fsyncmethod",
    "core.fsyncobjectfiles",
    "core.abbrev",
    "core.trustctime",
    "core.checkstat",
    "core.ignorestat",
    "core.untrackedcache",
    "core.splitindex",
    "core.preloadindex",
    "core.sparsecheckout",
    "core.sparsecheckoutcone",
    "core.commitgraph",
    "core.multipackindex",
    "core.whitespace",
    "core.longpaths",
    "core.deltabasecachelimit",
    "core.packedgitlimit",
    "core.packedgitwindowsize",
    "core.maxtreedepth",
    "extensions.",
    "include.path",
    "includeif.*.path",
    "init.defaultbranch",
    "branch.*.remote",
    "branch.*.merge",
    "branch.*.rebase",
    "branch.*.description",
    "remote.*.url",
    "remote.*.fetch",
    "remote.*.pushurl",
    "remote.*.push",
    "remote.*.tagopt",
    "remote.*.prune",
    "remote.*.promisor",
    "remote.*.partialclonefilter",
    "submodule.active",
    "submodule.*.url",
    "submodule.*.active",
    "submodule.*.branch",
    "submodule.*.path",
    "submodule.*.ignore",
    "merge.conflictstyle",
    "merge.renames",
    "merge.renamelimit",
    "merge.directoryrenames",
    "merge.renormalize",
    "diff.renames",
    "diff.renamelimit",
    "diff.algorithm",
    "diff.indentheuristic",
    "diff.colormoved",
    "diff.mnemonicprefix",
    "diff.noprefix",
    "diff.context",
    "diff.interhunkcontext",
    "diff.suppressblankempty",
    "rebase.backend",
    "rebase.abbreviatecommands",
    "pack.threads",
    "pack.window",
    "pack.depth",
    "pack.compression",
    "pack.windowmemory",
    "pack.indexversion",
    "pack.writereverseindex",
    "index.version",
    "index.threads",
    "index.recordendofindexentries",
    "index.recordoffsettable",
    "feature.manyfiles",
    "feature.experimental",
    "fetch.unpacklimit",
    "transfer.unpacklimit",
    "receive.unpacklimit",
    "i18n.commitencoding",
    "i18n.logoutputencoding",
};

struct KeyParts {
  std::string_view section;
  std::string_view name;
  bool has_subsection = false;
};

/// Splits `section.name` or `section.sub.section.name`.
KeyParts parts_of(std::string_view key) {
  auto const first = key.find('.');
  auto const last = key.rfind('.');
  if (first == std::string_view::npos) return {key, {}, false};
  return {key.substr(0, first), key.substr(last + 1), first != last};
}

bool allows(std::string_view row, std::string_view key, KeyParts const& parts) {
  if (row.ends_with('.')) return key.starts_with(row);
  if (auto const star = row.find(".*."); star != std::string_view::npos)
    return parts.has_subsection && row.substr(0, star) == parts.section && row.substr(star + 3) == parts.name;
  return row == key;
}

/// A setting that a special value disables, because an empty one does not.
struct Emptied {
  std::string_view section;
  std::string_view name;
  std::string_view value;
};
constexpr std::array kEmptied{
    Emptied{"filter", "required", "false"}, Emptied{"merge", "driver", "git merge-file -q %A %O %B"},
    Emptied{"gpg", "program", "false"},     Emptied{"hook", "command", "false"},
    Emptied{"hook", "enabled", "false"},    Emptied{"core", "worktree", "."},
};

}  // namespace

Environment const& git_settings() {
  static Environment const settings{
      {"safe.directory", "*"},
      {"core.hooksPath", "/dev/null"},
      {"core.fsmonitor", "false"},
      {"core.attributesFile", "/dev/null"},
      {"core.excludesFile", "/dev/null"},
      {"core.sshCommand", "false"},
      {"core.askPass", "false"},
      {"core.editor", "false"},
      {"sequence.editor", "false"},
      {"core.pager", "cat"},
      {"core.alternateRefsCommand", "false"},
      {"core.gitProxy", "false"},
      {"core.quotePath", "false"},
      {"credential.helper", ""},
      {"protocol.allow", "never"},
      {"submodule.recurse", "false"},
      {"diff.external", ""},
      {"diff.submodule", "short"},
      {"diff.ignoreSubmodules", "none"},
      {"diff.orderFile", "/dev/null"},
      {"status.submoduleSummary", "false"},
      {"commit.gpgSign", "false"},
      {"gpg.program", "false"},
      {"gc.auto", "0"},
      {"maintenance.auto", "false"},
      {"rerere.enabled", "false"},
      {"rebase.autoStash", "false"},
      {"rebase.autoSquash", "false"},
      {"rebase.updateRefs", "false"},
      {"merge.autoStash", "false"},
      {"merge.ff", "true"},
      {"merge.verifySignatures", "false"},
      {"checkout.guess", "false"},
      {"advice.detachedHead", "false"},
      {"log.showSignature", "false"},
      {"user.name", "Andon"},
      {"user.email", "andon@andon.invalid"},
  };
  return settings;
}

Environment without_effect(std::string_view key) {
  auto const parts = parts_of(key);
  if (std::ranges::any_of(kAllowed, [&](std::string_view row) { return allows(row, key, parts); })) return {};
  Environment out;
  auto const emptied = std::ranges::find_if(
      kEmptied, [&](Emptied const& row) { return row.section == parts.section && row.name == parts.name; });
  out.emplace_back(key, emptied == kEmptied.end() ? std::string_view{} : emptied->value);
  if (parts.section == "hook" && parts.has_subsection) {
    std::string const hook{key.substr(0, key.rfind('.'))};
    out.emplace_back(hook + ".enabled", "false");
    out.emplace_back(hook + ".command", "false");
  }
  return out;
}

}  // namespace andon::runner
