#include "tui/program/feed.hpp"

#include <boost/json/value_to.hpp>

#include "reflect/json.hpp"

namespace andon::tui {
namespace {

namespace json = boost::json;

/// A full batch fits; the server's own bound is lower.
constexpr reflect::JsonLimits kLimits{64, 1'000'000};

constexpr std::size_t kLargestBatch = 32U << 20U;

std::string text_of(json::object const& object, std::string_view name) {
  auto const* value = object.if_contains({name.data(), name.size()});
  auto const* text = value ? value->if_string() : nullptr;
  return text ? std::string{text->data(), text->size()} : std::string{};
}

std::int64_t number_of(json::object const& object, std::string_view name) {
  auto const* value = object.if_contains({name.data(), name.size()});
  auto const* number = value ? value->if_int64() : nullptr;
  return number ? *number : 0;
}

/// An object as the type it describes. Members that are null are absent.
template <class T>
std::optional<T> whole(json::value const* value) {
  if (!value || !value->is_object()) return std::nullopt;
  json::object object;
  for (auto const& [key, member] : value->get_object())
    if (!member.is_null()) object[key] = member;
  auto read = reflect::from_json<T>(object, reflect::Unknown::ignore);
  return read ? std::optional{*std::move(read)} : std::nullopt;
}

std::string_view value_after(std::string_view line, std::string_view name) {
  line.remove_prefix(name.size());
  if (line.starts_with(' ')) line.remove_prefix(1);
  return line;
}

}  // namespace

FeedReader::Step FeedReader::take(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (line.empty()) return finish();
  if (line.starts_with("event:")) event_ = value_after(line, "event:");
  if (line.starts_with("data:")) data_ += value_after(line, "data:");
  // A batch that never ends: a fresh snapshot is smaller.
  if (data_.size() > kLargestBatch) return data_.clear(), Step{std::nullopt, true};
  if (line.starts_with("id:")) id_ = value_after(line, "id:");
  return {};
}

FeedReader::Step FeedReader::finish() {
  auto const event = std::exchange(event_, {});
  auto const data = std::exchange(data_, {});
  if (auto id = std::exchange(id_, {}); !id.empty()) cursor_ = std::move(id);
  if (event == "reset") return {std::nullopt, true};
  if (event != "ops") return {};
  auto const batch = reflect::parse_json(data, kLimits);
  if (!batch || !batch->is_object()) return {std::nullopt, true};
  auto const* ops = batch->get_object().if_contains("ops");
  if (!ops || !ops->is_array() || ops->get_array().empty()) return {};
  BoardChanged out;
  for (auto const& op : ops->get_array())
    if (op.is_object()) apply(op.get_object(), out);
  return {std::move(out), false};
}

void FeedReader::apply(json::object const& op, BoardChanged& out) {
  auto const kind = text_of(op, "op");
  auto const* set = op.if_contains("set");
  if (kind == "task") {
    if (auto card = whole<service::Card>(set)) out.cards.push_back(*std::move(card));
  } else if (kind == "gone") {
    out.gone.emplace_back(number_of(op, "id"));
  } else if (kind == "line") {
    out.lines[core::TaskId{number_of(op, "id")}] = text_of(op, "text");
  } else if (kind == "worker") {
    apply_worker(op, out);
  } else if (kind == "dispatch") {
    out.dispatch = whole<service::DispatchLight>(set);
  } else if (kind == "board" && set && set->is_object()) {
    auto const* columns = set->get_object().if_contains("columns");
    if (!columns || !columns->is_object()) {
      out.board = whole<core::Board>(set);
      return;
    }
    for (auto const& [name, column] : columns->get_object())
      if (column.is_object())
        out.counts[std::string{name.data(), name.size()}] = number_of(column.get_object(), "count");
  }
}

/// A worker's op tells what changed of it; the first one tells everything.
void FeedReader::apply_worker(json::object const& op, BoardChanged& out) {
  auto const name = text_of(op, "id");
  if (op.contains("gone")) {
    workers_.erase(name);
    out.workers_gone.push_back(name);
    return;
  }
  auto const* set = op.if_contains("set");
  if (!set || !set->is_object()) return;
  auto& known = workers_[name];
  for (auto const& [key, member] : set->get_object()) known[key] = member;
  json::value const all = known;
  if (auto worker = whole<core::Worker>(&all)) out.workers.push_back(*std::move(worker));
}

}  // namespace andon::tui
