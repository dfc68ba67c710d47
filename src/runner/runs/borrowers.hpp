#pragma once

#include <filesystem>

namespace andon::runner {

// The repositories of work trees borrow the objects of a clone, so the clone must stay while there is one.
// `CLONE/borrowers` has a file for each: its name is a digest of the work tree's path, its lines are the path
// and the place where the tree is made. `clone` is the clone's folder.

/// Notes that a work tree borrows, on the disk. `unfinished` is where it is made before it gets its name.
void note_borrower(std::filesystem::path const& clone, std::filesystem::path const& tree,
                   std::filesystem::path const& unfinished = {});
/// Forgets a work tree that was removed.
void forget_borrower(std::filesystem::path const& clone, std::filesystem::path const& tree);

/// Whether a work tree that borrows has its `.git`, or cannot be examined. Forgets those that are gone and
/// were noted before `long_ago`; a younger one may not be there yet.
bool has_borrowers(std::filesystem::path const& clone, std::filesystem::file_time_type long_ago);

}  // namespace andon::runner
