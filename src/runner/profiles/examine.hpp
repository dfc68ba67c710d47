#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <boost/describe.hpp>

#include "core/time/time.hpp"
#include "runner/profiles/profile.hpp"

namespace andon::runner {

/// Whether a worker with this profile could start here, and if not, what a person has to do.
struct Examination {
  std::string id;
  std::string title;
  bool ready = false;
  std::string program;
  std::string version;
  std::optional<bool> signed_in;           ///< nothing when the profile names no sign of it
  std::string sign;                        ///< what told so
  std::vector<std::string> flags;          ///< what the profile gives to the program
  std::vector<std::string> unknown_flags;  ///< those of which no help of the program tells
  std::vector<std::string> problems;       ///< a sentence each
  std::vector<std::string> notes;          ///< what a person should know of it, though it could start
};
BOOST_DESCRIBE_STRUCT(Examination, (),
                      (id, title, ready, program, version, signed_in, sign, flags, unknown_flags, problems,
                       notes))

/// Looks for the program, its version and a sign-in, and whether it understands its arguments: by starting it
/// with an empty prompt at every level where the profile says how it refuses one, else by its help. `own` is
/// `NAME=value`. Each question to the program takes at most `limit`, and none makes it talk to a model.
Examination examine(Profile const& profile, std::span<std::string const> own,
                    core::Duration limit = core::Duration{30'000});

/// The options in the arguments of a profile, whatever branch they are on, each once.
std::vector<std::string> flags_of(Profile const& profile);

}  // namespace andon::runner
