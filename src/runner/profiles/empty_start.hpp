#pragma once

#include <span>
#include <string>

#include "os/files/scratch_directory.hpp"
#include "runner/profiles/ask_program.hpp"
#include "runner/profiles/profile.hpp"

namespace andon::runner {

/// Starts the program of a profile as a run would, with an empty prompt. The program reads its arguments,
/// refuses to begin, and calls no model.
class EmptyStart {
 public:
  /// `profile` and `own` (`NAME=value`) must outlive the object. Each start has the bounds of `limit`.
  EmptyStart(Profile const& profile, std::string program, std::span<std::string const> own, AskLimit limit);

  /// Why the program rejected its arguments or cannot work, with the remedy; empty when it works. A missing
  /// sign-in is no trouble if `is_signed_out`.
  std::string trouble(std::string const& level, bool resumes, bool is_signed_out) const;

 private:
  std::string answer(std::string const& level, bool resumes) const;

  Profile const& profile_;
  std::string program_;
  std::span<std::string const> own_;
  AskLimit limit_;
  os::ScratchDirectory directory_;
};

}  // namespace andon::runner
