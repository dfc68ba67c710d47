#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runner/profiles/ask_program.hpp"
#include "runner/profiles/profile.hpp"
#include "runner/profiles/sandbox_trial.hpp"

namespace andon::runner {

/// Whether a worker with this profile could start here, and what a person must do if not.
struct Examination {
  std::string id;
  std::string title;
  bool ready = false;
  std::string program;
  std::string version;
  std::optional<bool> signed_in;           ///< nothing when the profile names no sign of a sign-in
  std::string sign;                        ///< the sign that was found
  std::vector<std::string> flags;          ///< the options that the profile passes
  std::vector<std::string> unknown_flags;  ///< the options that no help of the program mentions
  std::vector<std::string> problems;       ///< one sentence each
  std::vector<std::string> notes;          ///< remarks that do not prevent a start
  std::vector<SandboxTrial> sandbox{};     ///< filled by `try_sandbox`; does not decide whether it is ready
};
void describe(auto& field, Examination const*) {
  field(&Examination::id, "id");
  field(&Examination::title, "title");
  field(&Examination::ready, "ready");
  field(&Examination::program, "program");
  field(&Examination::version, "version");
  field(&Examination::signed_in, "signed_in");
  field(&Examination::sign, "sign");
  field(&Examination::flags, "flags");
  field(&Examination::unknown_flags, "unknown_flags");
  field(&Examination::problems, "problems");
  field(&Examination::notes, "notes");
  field(&Examination::sandbox, "sandbox");
}

/// Searches the program, its version and a sign-in, and whether it accepts its arguments. If the profile
/// describes the refusal of an empty prompt, it starts the program with one at every level. Otherwise it
/// reads the program's help. `own` has `NAME=value`. Each call of the program has the bounds of `limit`, and
/// none calls a model.
Examination examine(Profile const& profile, std::span<std::string const> own, AskLimit limit = {});

/// The options in the arguments of a profile, on every branch, each once.
std::vector<std::string> flags_of(Profile const& profile);

}  // namespace andon::runner
