#pragma once

namespace andon::store::sqlite {

/// Registers, once, an SQLite VFS and answers its name. It is the default one but for write-ahead logs:
/// SQLite writes each page of a commit by two calls of its own, this hands the pages of a commit down in
/// pieces of up to 64 KiB. When the write of a commit's last page returns, all of it is in the file, for
/// readers and for syncs, which may come from another thread. A transaction of which a piece could not be
/// written cannot be committed. https://www.sqlite.org/vfs.html#shims
char const* log_vfs();

}  // namespace andon::store::sqlite
