#include <array>
#include <libfyaml.h>
#include <memory>

#include "core/names.hpp"
#include "reflect/yaml.hpp"

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
    config.flags = static_cast<fy_parse_cfg_flags>(FYPCF_QUIET | FYPCF_DISABLE_MMAP_OPT | FYPCF_JSON_NONE);
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
  /// What the text holds here; FYET_NONE when the parser gave up.
  fy_event_type type() const { return event_ ? event_->type : FYET_NONE; }
  fy_event const& event() const { return *event_; }
  /// Of the event, or of the last one that has a place.
  YamlPlace place() const { return place_; }

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

/// What of the language is not for files that people and programs exchange.
struct Refused {
  bool is_there;
  std::string_view what;
};

class Reading {
 public:
  Reading(std::string_view text, std::string_view name, YamlLimits limits)
      : events_(text), name_(name), limits_(limits), left_(limits.values) {}

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
    out.plain = !data.value || fy_token_scalar_style(data.value) == FYSS_PLAIN;
    std::size_t length = 0;
    if (auto const* text = data.value ? fy_token_get_text(data.value, &length) : nullptr)
      out.text.assign(text, length);
    events_.next();
    return out;
  }

  Result<YamlNode> list(std::size_t depth) {
    auto const& data = events_.event().sequence_start;
    ANDON_CHECK(check_properties(data.anchor, data.tag));
    YamlNode out;
    out.kind = YamlNode::Kind::list;
    out.place = events_.place();
    for (events_.next(); events_.type() != FYET_SEQUENCE_END;) {
      ANDON_TRY(auto item, node(depth + 1));
      out.items.push_back(std::move(item));
    }
    events_.next();
    return out;
  }

  Result<YamlNode> map(std::size_t depth) {
    auto const& data = events_.event().mapping_start;
    ANDON_CHECK(check_properties(data.anchor, data.tag));
    YamlNode out;
    out.kind = YamlNode::Kind::map;
    out.place = events_.place();
    for (events_.next(); events_.type() != FYET_MAPPING_END;) {
      ANDON_TRY(auto entry, this->entry(out, depth));
      out.entries.push_back(std::move(entry));
    }
    events_.next();
    return out;
  }

  Result<YamlEntry> entry(YamlNode const& map, std::size_t depth) {
    if (events_.type() == FYET_NONE) return trouble();
    if (events_.type() == FYET_ALIAS) return refuse("an alias is not allowed here; write the value out");
    if (events_.type() != FYET_SCALAR) return refuse("a key must be a text");
    ANDON_TRY(auto key, scalar());
    if (key.plain && key.text == "<<") return refuse_at(key.place, "merging maps with << is not allowed");
    if (map.find(key.text)) return refuse_at(key.place, "the key \"" + key.text + "\" stands twice");
    ANDON_TRY(auto value, node(depth + 1));
    return YamlEntry{std::move(key.text), key.place, std::move(value)};
  }

  Events events_;
  std::string_view name_;
  YamlLimits limits_;
  std::size_t left_;
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
