#include "core/tasks/attention.hpp"

namespace andon::core {
namespace {

bool is_judged(AttentionFacts const& f) { return f.stage == Stage::review && !f.blocked && !f.has_reviewer; }
bool is_queued(AttentionFacts const& f) { return !f.blocked && uses_capacity(f.stage); }
bool has_failed(AttentionFacts const& f) { return f.stage == Stage::failed || (f.blocked && f.was_tried); }

/// A row without a kind says that the task needs nobody.
struct AttentionRow {
  bool (*applies)(AttentionFacts const&);
  std::optional<AttentionKind> kind;
};
/// The first row that applies decides.
constexpr std::array kAttentionRows{
    AttentionRow{[](AttentionFacts const& f) { return f.landing_asked; }, AttentionKind::landing},
    AttentionRow{[](AttentionFacts const& f) { return is_terminal(f.stage); }, std::nullopt},
    AttentionRow{[](AttentionFacts const& f) { return f.asks_in_work; }, AttentionKind::waiting},
    AttentionRow{[](AttentionFacts const& f) { return f.runs; }, std::nullopt},
    AttentionRow{[](AttentionFacts const& f) { return f.asks; }, AttentionKind::question},
    AttentionRow{[](AttentionFacts const& f) { return f.plan_waits; }, AttentionKind::review},
    AttentionRow{[](AttentionFacts const& f) { return is_judged(f) && f.no_evidence; },
                 AttentionKind::no_evidence},
    AttentionRow{&is_judged, AttentionKind::review},
    AttentionRow{[](AttentionFacts const& f) { return f.returned && is_queued(f); }, AttentionKind::returned},
    AttentionRow{[](AttentionFacts const& f) { return f.tries_again; }, std::nullopt},
    AttentionRow{&has_failed, AttentionKind::failed},
    AttentionRow{[](AttentionFacts const& f) { return f.unapproved; }, AttentionKind::approval},
};

}  // namespace

std::optional<AttentionKind> attention_of(AttentionFacts const& facts) {
  for (auto const& row : kAttentionRows)
    if (row.applies(facts)) return row.kind;
  return std::nullopt;
}

}  // namespace andon::core
