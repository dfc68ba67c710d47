#pragma once

namespace andon::store::sqlite {

/// Registers, once, an SQLite VFS and answers its name. It is the default one but for write-ahead logs:
/// SQLite writes each page of a commit by two calls of its own, this hands the pages of a commit down in
/// pieces of up to 64 KiB. What others may look for is in the file as before: a commit's pages when the write
/// of the last one returns, and everything written so far when a sync, which may come from another thread, or
/// any other call begins. https://www.sqlite.org/vfs.html#shims
char const* log_vfs();

}  // namespace andon::store::sqlite
