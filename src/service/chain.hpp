#pragma once

#include "service/change.hpp"

namespace andon::service {

/// Turns a finished task's chain (its own `next_tasks`, else its board's rule for its role) into tasks, in
/// the transaction that finished it and never twice.
void fire_chain(Unit& u, core::Task const& parent, core::Board const& board);

/// Fills `{{parent.id}}`, `{{parent.key}}`, `{{parent.title}}`, `{{parent.result}}`, `{{parent.branch}}` and
/// `{{parent.commits}}` into a text; other braces stay as they are. Filled-in text is not looked at again.
/// The result is cut at the length a body may have.
std::string expand(std::string_view text, core::Task const& parent, std::optional<core::Run> const& run);

}  // namespace andon::service
