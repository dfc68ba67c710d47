#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/model/run.hpp"
#include "runner/profiles/sandbox.hpp"

namespace andon::runner {

// A program that its sandbox refuses something says only "Permission denied". A hint names the setting that
// would allow it. One table connects the words of such errors with a condition and a sentence. The output
// comes from an untrusted program, so the condition does not believe it: the sandbox must really close what
// the words are about, and this process, which is outside of it, must be able to use it.

/// The hint for the output of a program in a sandbox, as a sentence; empty when no setting would help.
std::string sandbox_hint(std::string_view output, SandboxSpec const& spec, Confined who);

/// Appends the hint to the output of a check that failed in a sandbox. Changes nothing else.
void add_sandbox_hint(core::CheckResult& result, std::optional<SandboxSpec> const& spec, Confined who);

}  // namespace andon::runner
