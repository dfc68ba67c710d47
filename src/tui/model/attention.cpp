#include "tui/model/attention.hpp"

#include <algorithm>
#include <array>
#include <tuple>

#include "service/insight/attention.hpp"

namespace andon::tui {
namespace {

constexpr std::array<std::string_view, core::kAttentionKinds> kCallNames{
    "waits for you", "question", "land it?", "nothing starts", "review", "no evidence",
    "did not land",  "failed",   "silent",   "approve?",       "budget", "limit"};

bool is_warning(core::WorkerStatus light) {
  return light == core::WorkerStatus::silent || light == core::WorkerStatus::stale;
}

/// The card of a worker that has gone quiet. A task is listed once, for the most urgent reason: nothing for a
/// card that needs a person anyhow.
service::Card const* quiet_card(BoardData const& data, core::Worker const& worker) {
  auto const* card = worker.task && is_warning(worker.state) ? data.cards.find(*worker.task) : nullptr;
  return card && !call_of(*card) ? card : nullptr;
}

}  // namespace

std::string_view name_of(Call call) { return kCallNames[static_cast<std::size_t>(call)]; }

std::optional<Call> call_of(service::Card const& card) { return service::attention_of(card); }

std::vector<Attention> attention_of(BoardData const& data) {
  std::vector<Attention> out;
  data.cards.each([&](service::Card const& card) {
    if (auto const call = call_of(card))
      out.push_back({card.id, *call, card.question ? card.question->asked_at : card.entered});
  });
  for (auto const& worker : data.workers)
    if (auto const* card = quiet_card(data, worker))
      out.push_back({card->id, Call::silent, worker.since.value_or(core::Instant{})});
  std::ranges::sort(out, {}, [](Attention const& one) { return std::tuple{one.call, one.since, one.task}; });
  return out;
}

std::size_t count_attention(BoardData const& data) {
  std::size_t count = 0;
  data.cards.each([&](service::Card const& card) { count += call_of(card) ? 1 : 0; });
  for (auto const& worker : data.workers) count += quiet_card(data, worker) ? 1 : 0;
  return count;
}

}  // namespace andon::tui
