#include "store/postgres/connection/prepared_names.hpp"

#include <algorithm>

namespace andon::store::postgres {
namespace {

constexpr std::size_t kMostPrepared = 256;

std::string key_of(std::string_view text, std::vector<unsigned> const& types) {
  std::string out{text};
  for (auto const type : types) (out += '\0') += std::to_string(type);
  return out;
}

std::string name_of(std::int64_t number) { return "andon_" + std::to_string(number); }

}  // namespace

PreparedNames::Use PreparedNames::use(std::string_view text, std::vector<unsigned> const& types) {
  auto key = key_of(text, types);
  ++count_;
  if (auto const known = entries_.find(key); known != entries_.end()) {
    known->second.used = count_;
    return {name_of(known->second.number), false, {}};
  }
  Use out{name_of(count_), true, {}};
  if (entries_.size() >= kMostPrepared) out.dropped = drop_oldest();
  entries_.emplace(std::move(key), Entry{count_, count_});
  return out;
}

void PreparedNames::forget(std::string_view name) {
  std::erase_if(entries_, [&](auto const& entry) { return name_of(entry.second.number) == name; });
}

std::string PreparedNames::drop_oldest() {
  auto const oldest =
      std::ranges::min_element(entries_, {}, [](auto const& entry) { return entry.second.used; });
  auto name = name_of(oldest->second.number);
  entries_.erase(oldest);
  return name;
}

}  // namespace andon::store::postgres
