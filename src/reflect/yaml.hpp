#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <boost/json/value.hpp>

#include "core/error.hpp"
#include "reflect/type.hpp"

namespace andon::reflect {

/// Bounds of a YAML text. Depth and values are counted while it is read, before more of a tree exists.
struct YamlLimits {
  std::size_t bytes = 1U << 20U;
  std::size_t depth = 24;
  std::size_t values = 50'000;
};

/// A line and a column, both from 1.
struct YamlPlace {
  int line = 1;
  int column = 1;
};

struct YamlEntry;

/// A value of a YAML text that knows where it stands.
struct YamlNode {
  enum class Kind { scalar, list, map };
  Kind kind = Kind::scalar;
  YamlPlace place;
  std::size_t begin = 0;  ///< of its bytes, with quotes, brackets or the mark of a block
  std::size_t end = 0;    ///< behind the last of them, before comments and line ends
  bool plain = false;     ///< a scalar without quotes that is no block of text
  std::string text;       ///< of a scalar
  std::vector<YamlNode> items;
  std::vector<YamlEntry> entries;

  YamlNode const* find(std::string_view key) const;
};

struct YamlEntry {
  std::string key;
  YamlPlace place;
  std::size_t begin = 0;  ///< of the key
  std::size_t colon = 0;  ///< behind the colon
  YamlNode value;
};

/// Reads one document of the YAML that people write into settings: maps with plain keys, lists, texts.
/// Aliases, anchors, tags, merge keys, duplicate, empty and complex keys, tabs that indent, directives and
/// further documents are refused. Refusals are `MALFORMED` and begin with `NAME:LINE:COLUMN:`. An empty text
/// is an empty map. Time and memory grow with the text, and any bytes are read or refused.
core::Result<YamlNode> parse_yaml(std::string_view text, std::string_view name, YamlLimits limits = {});

/// The value a codec reads for that type. What a plain scalar means is decided by the type, so that `yes`,
/// `1.10` and `007` stay texts where a text is wanted; `null`, `~` and nothing are null.
boost::json::value json_of(YamlNode const& node, Type const& type);

/// The place of a field by the codec's name for it (`columns/2/name`), or of the nearest field that exists.
YamlPlace place_of(YamlNode const& root, std::string_view field);

/// Writes a value as YAML that `parse_yaml` reads back and other readers understand in the same way.
std::string to_yaml(boost::json::value const& value);

}  // namespace andon::reflect
