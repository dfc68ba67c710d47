#pragma once

#include <span>
#include <string>

#include "core/time/time.hpp"
#include "os/files/scratch_directory.hpp"
#include "runner/profiles/profile.hpp"

namespace andon::runner {

/// Starts the program of a profile as a run would, with an empty prompt: it reads its arguments, then refuses
/// to begin, and asks no model.
class EmptyStart {
 public:
  /// `profile` and `own`, which is `NAME=value`, outlive it; each start takes at most `limit`.
  EmptyStart(Profile const& profile, std::string program, std::span<std::string const> own,
             core::Duration limit);

  /// Why it did not understand its arguments or would not work, with the remedy; empty when it would. A lack
  /// of a sign-in is none where that is known already.
  std::string trouble(std::string const& level, bool resumes, bool is_signed_out) const;

 private:
  std::string answer(std::string const& level, bool resumes) const;

  Profile const& profile_;
  std::string program_;
  std::span<std::string const> own_;
  core::Duration limit_;
  os::ScratchDirectory directory_;
};

}  // namespace andon::runner
