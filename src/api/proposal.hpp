#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "core/field.hpp"
#include "core/time/time.hpp"

namespace andon::api {

enum class ProposalState { waiting, confirmed };
inline constexpr std::array<std::string_view, 2> kProposalStateNames{"waiting", "confirmed"};
constexpr auto const& wire_names(ProposalState) { return kProposalStateNames; }

/// A change that brings commands over the network and waits until somebody on the machine confirms it.
struct ProposalView {
  std::string code;
  ProposalState state = ProposalState::waiting;
  std::string request;
  std::string board;
  std::string asked_by;
  std::string asked_from;
  std::vector<std::string> commands;
  core::Instant expires_at{};
};
void describe(auto& field, ProposalView const*) {
  field(&ProposalView::code, "code", "The code that `andon confirm` takes", core::always);
  field(&ProposalView::state, "state", "waiting or confirmed", core::always);
  field(&ProposalView::request, "request", "The change, as method and path", core::always);
  field(&ProposalView::board, "board", "The board that would get the commands", core::always);
  field(&ProposalView::asked_by, "asked_by", "Who asked for it", core::always);
  field(&ProposalView::asked_from, "asked_from", "The address from which it was asked", core::always);
  field(&ProposalView::commands, "commands", "What it brings, one line for each command or variable",
        core::always);
  field(&ProposalView::expires_at, "expires_at", "Until when it can be confirmed", core::always);
}

struct ConfirmRequest {
  bool browser = false;
};
void describe(auto& field, ConfirmRequest const*) {
  field(&ConfirmRequest::browser, "browser",
        "Whether the credential that asked may bring more commands for 15 minutes", core::set_only);
}

}  // namespace andon::api
