#pragma once

#include "reflect/yaml_cursor.hpp"

namespace andon::reflect {

/// The indentation of the value around a scalar, in bytes; -1 around the outermost one.
using YamlIndent = int;

/// Each reads the scalar that begins at the cursor and leaves the cursor behind its last byte.
/// `YamlNode::end` is that byte's end too, but blank lines at the end of a block are no bytes of it.
YamlNode scan_plain(YamlCursor& cursor, YamlIndent around, bool in_brackets);
YamlRead<YamlNode> scan_quoted(YamlCursor& cursor);
YamlRead<YamlNode> scan_block(YamlCursor& cursor, YamlIndent around);

}  // namespace andon::reflect
