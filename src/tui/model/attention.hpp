#pragma once

#include <string_view>
#include <vector>

#include "core/tasks/attention.hpp"
#include "tui/model/model.hpp"

namespace andon::tui {

using Call = core::AttentionKind;
/// The reason in a word or two.
std::string_view name_of(Call call);

/// The reason for which a card needs a person; none when it needs nobody.
std::optional<Call> call_of(service::Card const& card);

struct Attention {
  core::TaskId task = 0;
  Call call = Call::waiting;
  core::Instant since{};
};
/// Everything on the board that waits for a person, the most urgent first and the oldest of a kind before the
/// others.
std::vector<Attention> attention_of(BoardData const& data);
/// The number of those, for the picture of every step: without making the list.
std::size_t count_attention(BoardData const& data);

}  // namespace andon::tui
