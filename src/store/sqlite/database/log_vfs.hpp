#pragma once

namespace andon::store::sqlite {

/// Registers an SQLite VFS once and returns its name. It differs from the default VFS only for write-ahead
/// logs. SQLite writes each page of a commit by two calls; this VFS passes the pages on in pieces of up to 64
/// KiB. When the write of a commit's last page returns, the whole commit is in the file, for readers and for
/// syncs. Syncs may come from another thread. A transaction with a piece that could not be written cannot be
/// committed. https://www.sqlite.org/vfs.html#shims
char const* log_vfs();

}  // namespace andon::store::sqlite
