#include <algorithm>
#include <array>
#include <libfyaml.h>
#include <memory>
#include <optional>
#include <tuple>
#include <unordered_set>
#include <utility>

#include "core/text/names.hpp"
#include "reflect/yaml.hpp"
#include "reflect/yaml_scalar.hpp"

namespace andon::reflect {
namespace {

using core::Code;
using core::Result;

struct Free {
  void operator()(fy_diag* diag) const { fy_diag_destroy(diag); }
  void operator()(fy_parser* parser) const { fy_parser_destroy(parser); }
};

/// The stream of events of one text. It never resolves anything, so that a small text stays small.
class Events {
 public:
  explicit Events(std::string_view text) {
    fy_diag_cfg diag{};
    fy_diag_cfg_default(&diag);
    diag.fp = nullptr;
    diag_.reset(fy_diag_create(&diag));
    fy_diag_set_collect_errors(diag_.get(), true);
    fy_parse_cfg config{};
    config.flags = static_cast<fy_parse_cfg_flags>(FYPCF_QUIET | FYPCF_DISABLE_MMAP_OPT | FYPCF_JSON_NONE |
                                                   FYPCF_SLOPPY_FLOW_INDENTATION);
    config.diag = diag_.get();
    parser_.reset(fy_parser_create(&config));
    fy_parser_set_string(parser_.get(), text.data(), text.size());
    next();
  }
  ~Events() { fy_parser_event_free(parser_.get(), event_); }
  Events(Events const&) = delete;
  Events& operator=(Events const&) = delete;

  void next() {
    fy_parser_event_free(parser_.get(), event_);
    event_ = fy_parser_parse(parser_.get());
    auto const* mark = event_ ? fy_event_start_mark(event_) : nullptr;
    if (mark) place_ = {mark->line + 1, mark->column + 1};
  }
  /// The kind of the current event; FYET_NONE when the parser gave up.
  fy_event_type type() const { return event_ ? event_->type : FYET_NONE; }
  fy_event const& event() const { return *event_; }
  /// The place of the event, or of the last one that has a place.
  YamlPlace place() const { return place_; }
  /// The bytes of the event; nothing for a value that is not written.
  std::optional<std::pair<std::size_t, std::size_t>> bytes() const {
    auto const *first = fy_event_start_mark(event_), *last = fy_event_end_mark(event_);
    if (!first || !last) return std::nullopt;
    return std::pair{first->input_pos, last->input_pos};
  }

  struct Trouble {
    YamlPlace place;
    std::string message;
  };
  Trouble trouble() const {
    void* previous = nullptr;
    auto const* error = fy_diag_errors_iterate(diag_.get(), &previous);
    if (!error) return {place_, "the text ends too soon"};
    return {{error->line, error->column}, error->msg};
  }

 private:
  std::unique_ptr<fy_diag, Free> diag_;
  std::unique_ptr<fy_parser, Free> parser_;
  fy_event* event_ = nullptr;
  YamlPlace place_;
};

/// The parts of YAML that files for exchange between people and programs may not use.
struct Refused {
  bool is_there;
  std::string_view what;
};

class Reading {
 public:
  Reading(std::string_view text, std::string_view name, YamlLimits limits)
      : text_(text), events_(text), name_(name), limits_(limits), left_(limits.values) {}

  Result<YamlNode> document() {
    if (events_.type() == FYET_STREAM_START) events_.next();
    YamlNode root;
    root.kind = YamlNode::Kind::map;
    if (events_.type() == FYET_DOCUMENT_START) {
      events_.next();
      ANDON_SET(root, node(1));
      if (events_.type() == FYET_DOCUMENT_END) events_.next();
    }
    if (events_.type() == FYET_DOCUMENT_START)
      return refuse("there is a second document; one file holds one");
    if (events_.type() != FYET_STREAM_END) return trouble();
    return root;
  }

 private:
  std::unexpected<core::Error> refuse(std::string_view message) const {
    return refuse_at(events_.place(), message);
  }
  std::unexpected<core::Error> refuse_at(YamlPlace at, std::string_view message) const {
    return core::refuse(Code::kMalformed, std::string{name_} + ":" + std::to_string(at.line) + ":" +
                                              std::to_string(at.column) + ": " + std::string{message});
  }
  std::unexpected<core::Error> trouble() const {
    auto const found = events_.trouble();
    return refuse_at(found.place, found.message);
  }

  Result<void> check_properties(fy_token* anchor, fy_token* tag) const {
    for (auto const& [is_there, what] :
         {Refused{anchor != nullptr, "an anchor"}, Refused{tag != nullptr, "a tag"}})
      if (is_there) return refuse(std::string{what} + " is not allowed here; write the value out");
    return {};
  }

  Result<YamlNode> node(std::size_t depth) {
    if (events_.type() == FYET_NONE) return trouble();
    if (depth > limits_.depth)
      return refuse("values are nested deeper than " + std::to_string(limits_.depth));
    if (left_-- == 0) return refuse("there are more than " + std::to_string(limits_.values) + " values");
    switch (events_.type()) {
      case FYET_SCALAR: return scalar();
      case FYET_SEQUENCE_START: return list(depth);
      case FYET_MAPPING_START: return map(depth);
      case FYET_ALIAS: return refuse("an alias is not allowed here; write the value out");
      default: return trouble();
    }
  }

  Result<YamlNode> scalar() {
    auto const& data = events_.event().scalar;
    ANDON_CHECK(check_properties(data.anchor, data.tag));
    YamlNode out;
    out.place = events_.place();
    auto const style = data.value ? fy_token_scalar_style(data.value) : FYSS_PLAIN;
    out.plain = style == FYSS_PLAIN;
    set_bytes(out, style);
    if (data.value) ANDON_SET(out.text, text_of(*data.value, out, style));
    events_.next();
    return out;
  }

  /// The parser drops quotes and blanks of some scalars, so that only the text of a block is taken from it.
  Result<std::string> text_of(fy_token& value, YamlNode const& node, fy_scalar_style style) const {
    std::size_t length = 0;
    if (style == FYSS_LITERAL || style == FYSS_FOLDED || !events_.bytes()) {
      auto const* text = fy_token_get_text(&value, &length);
      return text ? std::string(text, length) : std::string{};
    }
    auto const quotes = style == FYSS_SINGLE_QUOTED   ? YamlQuotes::single_quotes
                        : style == FYSS_DOUBLE_QUOTED ? YamlQuotes::double_quotes
                                                      : YamlQuotes::none;
    std::size_t const mark = quotes == YamlQuotes::none ? 0 : 1;
    auto text = text_of_scalar(text_.substr(node.begin + mark, node.end - node.begin - 2 * mark), quotes);
    if (!text) return refuse_at(node.place, "an escape in the text says no character");
    return *std::move(text);
  }

  /// The parser's marks leave out quotes and what begins a block; those of a block end at the next word.
  void set_bytes(YamlNode& out, fy_scalar_style style) {
    auto const bytes = events_.bytes();
    std::tie(out.begin, out.end) = bytes.value_or(std::pair{behind_, behind_});
    if (bytes && (style == FYSS_SINGLE_QUOTED || style == FYSS_DOUBLE_QUOTED)) {
      --out.begin;
      ++out.end;
      --out.place.column;
    }
    if (bytes && (style == FYSS_LITERAL || style == FYSS_FOLDED)) {
      auto const line = out.begin < 2 ? 0 : text_.rfind('\n', out.begin - 2) + 1;
      out.begin = text_.find_first_of("|>", std::max(line, behind_));
      out.end = text_.find_last_not_of(" \t\r\n", out.end - 1) + 1;
    }
    behind_ = out.end;
  }

  /// A list or map in brackets ends with its bracket, another one with its last value.
  void begin_group(YamlNode& out) {
    out.place = events_.place();
    out.begin = events_.bytes().value_or(std::pair{behind_, behind_}).first;
  }
  void end_group(YamlNode& out) {
    auto const mark = text_.substr(std::min(out.begin, text_.size()), 1);
    if (mark == "[" || mark == "{")
      if (auto const bytes = events_.bytes()) behind_ = bytes->second;
    out.end = behind_;
    events_.next();
  }

  Result<YamlNode> list(std::size_t depth) {
    auto const& data = events_.event().sequence_start;
    ANDON_CHECK(check_properties(data.anchor, data.tag));
    YamlNode out;
    out.kind = YamlNode::Kind::list;
    begin_group(out);
    for (events_.next(); events_.type() != FYET_SEQUENCE_END;) {
      ANDON_TRY(auto item, node(depth + 1));
      out.items.push_back(std::move(item));
    }
    end_group(out);
    return out;
  }

  Result<YamlNode> map(std::size_t depth) {
    auto const& data = events_.event().mapping_start;
    ANDON_CHECK(check_properties(data.anchor, data.tag));
    YamlNode out;
    out.kind = YamlNode::Kind::map;
    begin_group(out);
    std::unordered_set<std::string> keys;
    for (events_.next(); events_.type() != FYET_MAPPING_END;) {
      ANDON_TRY(auto entry, this->entry(keys, depth));
      out.entries.push_back(std::move(entry));
    }
    end_group(out);
    return out;
  }

  /// `keys` are those of the map that came before.
  Result<YamlEntry> entry(std::unordered_set<std::string>& keys, std::size_t depth) {
    if (events_.type() == FYET_NONE) return trouble();
    if (events_.type() == FYET_ALIAS) return refuse("an alias is not allowed here; write the value out");
    if (events_.type() != FYET_SCALAR) return refuse("a key must be a text");
    ANDON_TRY(auto key, scalar());
    if (key.plain && key.text == "<<") return refuse_at(key.place, "merging maps with << is not allowed");
    if (!keys.insert(key.text).second)
      return refuse_at(key.place, "the key \"" + key.text + "\" stands twice");
    auto const colon = behind_ = std::min(text_.find(':', key.end), text_.size() - 1) + 1;
    ANDON_TRY(auto value, node(depth + 1));
    return YamlEntry{std::move(key.text), key.place, key.begin, colon, std::move(value)};
  }

  std::string_view text_;
  Events events_;
  std::string_view name_;
  YamlLimits limits_;
  std::size_t left_;
  std::size_t behind_ = 0;  ///< what was read last
};

/// The parser below takes the text for whole where it is not; a text with such bytes never reaches it.
Result<void> check_bytes(std::string_view text, std::string_view name, YamlLimits limits) {
  std::string const of{name};
  if (text.size() > limits.bytes)
    return core::refuse(Code::kTooLarge,
                        of + " is larger than " + std::to_string(limits.bytes >> 10U) + " KiB");
  if (!core::is_utf8(text)) return core::refuse(Code::kMalformed, of + " is not valid UTF-8");
  if (text.contains('\0')) return core::refuse(Code::kMalformed, of + " holds a zero byte");
  return {};
}

}  // namespace

YamlNode const* YamlNode::find(std::string_view key) const {
  for (auto const& entry : entries)
    if (entry.key == key) return &entry.value;
  return nullptr;
}

core::Result<YamlNode> parse_yaml(std::string_view text, std::string_view name, YamlLimits limits) {
  ANDON_CHECK(check_bytes(text, name, limits));
  Reading reading(text, name, limits);
  ANDON_TRY(auto root, reading.document());
  if (root.kind == YamlNode::Kind::scalar && root.plain && root.text.empty()) root.kind = YamlNode::Kind::map;
  return root;
}

}  // namespace andon::reflect
