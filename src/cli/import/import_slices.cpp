#include "cli/import/import_slices.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace andon::cli {
namespace {

namespace json = boost::json;
using core::Code;
using core::Result;

using Places = std::map<std::string_view, std::size_t>;

struct Link {
  std::size_t to;
  bool must_come_first;
};

std::vector<Link> links_of(ImportItem const& item, Places const& places) {
  std::vector<Link> out;
  auto const add = [&](json::value const& ref, bool must_come_first) {
    auto const* text = ref.if_string();
    auto const place = text ? places.find(std::string_view{text->data(), text->size()}) : places.end();
    if (place != places.end()) out.push_back({place->second, must_come_first});
  };
  if (auto const* parent = item.fields.if_contains("parent")) add(*parent, false);
  auto const* needs = item.fields.if_contains("depends_on");
  if (needs && needs->is_array())
    for (auto const& ref : needs->get_array()) add(ref, true);
  return out;
}

/// Walks from each task to what comes before it.
class Ordering {
 public:
  explicit Ordering(ImportFile const& file) : file_(file), states_(file.items.size()) {
    Places places;
    for (std::size_t i = 0; i < file.items.size(); ++i) places.emplace(file.items[i].ref, i);
    for (auto const& item : file.items) links_.push_back(links_of(item, places));
  }

  Result<std::vector<std::size_t>> order() {
    for (std::size_t i = 0; i < links_.size(); ++i)
      if (states_[i] == State::unseen) ANDON_CHECK(walk(i));
    return std::move(order_);
  }

 private:
  enum class State { unseen, open, placed };
  struct Step {
    std::size_t item;
    std::size_t next_link = 0;
  };

  Result<void> walk(std::size_t start) {
    std::vector<Step> way{{start}};
    states_[start] = State::open;
    while (!way.empty()) {
      auto& step = way.back();
      if (step.next_link == links_[step.item].size()) {
        states_[step.item] = State::placed;
        order_.push_back(step.item);
        way.pop_back();
        continue;
      }
      auto const link = links_[step.item][step.next_link++];
      if (states_[link.to] == State::open && link.must_come_first && is_a_ring_of_needs(way, link.to))
        return refuse_ring(way, link.to);
      if (states_[link.to] != State::unseen) continue;
      states_[link.to] = State::open;
      way.push_back({link.to});
    }
    return {};
  }

  /// A parent may wait for its own part: it is named afterwards.
  bool is_a_ring_of_needs(std::vector<Step> const& way, std::size_t to) const {
    auto const start = std::ranges::find(way, to, &Step::item);
    return std::all_of(start, way.end(), [&](Step const& step) {
      return links_[step.item][step.next_link - 1].must_come_first;
    });
  }

  std::unexpected<core::Error> refuse_ring(std::vector<Step> const& way, std::size_t to) const {
    std::string text;
    for (auto step = std::ranges::find(way, to, &Step::item); step != way.end(); ++step)
      text += file_.items[step->item].ref + " -> ";
    return core::refuse(Code::kDependencyCycle,
                        "the tasks wait for each other: " + text + file_.items[to].ref, "depends_on");
  }

  ImportFile const& file_;
  std::vector<std::vector<Link>> links_;
  std::vector<State> states_;
  std::vector<std::size_t> order_;
};

}  // namespace

Result<std::vector<std::vector<std::size_t>>> import_slices(ImportFile const& file) {
  std::vector<std::size_t> order(file.items.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (order.size() > kImportedAtOnce) ANDON_SET(order, Ordering{file}.order());
  std::vector<std::vector<std::size_t>> out;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i % kImportedAtOnce == 0) out.emplace_back();
    out.back().push_back(order[i]);
  }
  return out;
}

}  // namespace andon::cli
