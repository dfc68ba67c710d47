#pragma once

#include "service/requests.hpp"

namespace andon::service {

// A repository is examined when a board gets it, and by `andon doctor --repo`. The machine with the
// repository answers.

struct ExamineRepositoryRequest {
  std::string repo;
  std::string branch;
  std::string folder;
  std::string branch_prefix{};
};
void describe(auto& field, ExamineRepositoryRequest const*) {
  field(&ExamineRepositoryRequest::repo, "repo", "Path on this machine, or clone URL", core::required);
  field(&ExamineRepositoryRequest::branch, "branch",
        "Branch at which work shall begin; the default when empty");
  field(&ExamineRepositoryRequest::folder, "folder",
        "Folder in which agents shall work; all of it when empty");
  field(&ExamineRepositoryRequest::branch_prefix, "branch_prefix",
        "Prefix of the branches of tasks; andon when empty");
}

enum class RepositoryFindingKind {
  fact,    ///< as it is in most repositories
  note,    ///< a person who gives the repository to a board should know it
  refused  ///< no board with work trees can have the repository
};
inline constexpr std::array<std::string_view, 3> kRepositoryFindingKindNames{"fact", "note", "refused"};
constexpr auto const& wire_names(RepositoryFindingKind) { return kRepositoryFindingKindNames; }

/// One trait of a repository.
struct RepositoryFinding {
  RepositoryFindingKind kind = RepositoryFindingKind::fact;
  std::string what;
  std::string effect;
  std::string remedy{};
  std::string field = "repo";
};
void describe(auto& field, RepositoryFinding const*) {
  field(&RepositoryFinding::kind, "kind", "fact, note or refused", core::always);
  field(&RepositoryFinding::what, "what", "The trait of the repository", core::always);
  field(&RepositoryFinding::effect, "effect", "What Andon does with it", core::always);
  field(&RepositoryFinding::remedy, "remedy", "What a person can do about it");
  field(&RepositoryFinding::field, "field", "The setting of the board that it concerns", core::always);
}

struct ExaminedRepository {
  std::string repo;
  std::string folder;
  std::string branch;
  std::vector<RepositoryFinding> findings;
};
void describe(auto& field, ExaminedRepository const*) {
  field(&ExaminedRepository::repo, "repo", "The repository: its top directory, or the clone URL",
        core::always);
  field(&ExaminedRepository::folder, "folder", "The folder of it in which agents work");
  field(&ExaminedRepository::branch, "branch", "Branch at which work begins and on which it lands");
  field(&ExaminedRepository::findings, "findings", "What Andon does with each trait", core::always);
}

core::Result<ExamineRepositoryRequest> examine_repository(OperationContext& ctx,
                                                          ExamineRepositoryRequest const& request);

/// A finding as one sentence.
std::string in_words(RepositoryFinding const& finding);

}  // namespace andon::service
