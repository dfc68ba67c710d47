#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/field.hpp"
#include "core/model/usage_window.hpp"
#include "core/time/time.hpp"

namespace andon::core {

/// The credential behind an agent profile: what a usage limit of its provider is about. All workers of the
/// profile share it.
struct Account {
  std::string name;                      ///< the agent profile
  std::optional<Instant> limited_until;  ///< nothing is started before
  std::string reason;
  bool overloaded = false;  ///< its last rest is one of the service of its model, which was at capacity
  int slots = 0;            ///< most runs at once while it recovers; 0 means no bound of its own
  int regain = 0;           ///< slots at which the bound is dropped
  int strikes = 0;          ///< limits in a row that named no end
  bool paused = false;      ///< nothing is started until somebody resumes it
  std::vector<UsageWindow> windows{};  ///< those of its provider that are open, as far as it named them
};
void describe(auto& field, Account const*) {
  field(&Account::name, "name", "Agent profile that uses it", always);
  field(&Account::limited_until, "limited_until", "Until when nothing is started");
  field(&Account::paused, "paused", "Whether nothing is started until somebody resumes it", set_only);
  field(&Account::reason, "reason", "What limited or paused it");
  field(&Account::overloaded, "overloaded",
        "Whether the service of its model is at capacity, and no usage limit was met", set_only);
  field(&Account::slots, "slots", "Most runs at once while it recovers", set_only);
  field(&Account::regain, "regain", "Runs at once at which that bound is dropped", set_only);
  field(&Account::strikes, "strikes", "Limits in a row that named no end", set_only);
  field(&Account::windows, "windows", "Open windows of use that its provider named");
}

bool is_limited(Account const& account, Instant now);
/// True when one more run may start beside the `running` ones that use the account.
bool may_start(Account const& account, Instant now, int running);

/// Keeps what a run learnt of the windows of its account, and forgets those that are over.
void learn_windows(Account& account, std::span<UsageWindow const> reported, Instant now);
/// The end of the limit that a run met without being told its end: that of the windows that it reported as
/// reached, or, where it named none, that of the fullest window if that is nearly used up.
std::optional<Instant> known_end(Account const& account, std::span<UsageWindow const> reported);

/// The end of the limit that a run met: the last of the one that it was told and those of the windows that it
/// reported as reached, as they are known; where it was told of neither, that of the fullest window if that
/// is nearly used up.
std::optional<Instant> end_of_limit(Account const& account, std::optional<Instant> resets_at,
                                    std::span<UsageWindow const> reported, Instant now);

/// A run met a limit while `running` runs used the account. With a known end the account rests until then, 32
/// days at most, as long as a window of a month may be, and never shorter than until an end that was known
/// before. Without one it rests 30 s, doubling to 4 h, and comes back with half the runs at once.
void reach_limit(Account& account, Instant now, std::optional<Instant> resets_at, int running);
/// The service of the model was overloaded, which no limit of the account is: it rests 30 s, doubling to
/// 5 min, and comes back with half the runs at once.
void meet_overload(Account& account, Instant now, int running);

/// A run went well: one more may run at once, until there are as many as before the limit (additive increase,
/// multiplicative decrease; Chiu and Jain, 1989).
void work_went_well(Account& account);

}  // namespace andon::core
