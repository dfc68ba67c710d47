#include "runner/worktrees/repository_records.hpp"

#include "os/digest.hpp"
#include "os/files/file.hpp"

namespace andon::runner {
namespace {

constexpr std::size_t kNameDigits = 16;

}  // namespace

RepositoryRecords::RepositoryRecords(std::filesystem::path const& folder, core::WorkPlace const& place)
    : folder_(folder / os::hex(os::sha256(place.common_directory)).substr(0, kNameDigits)) {
  os::make_private_directory(folder_);
}

std::expected<os::FileLock, std::string> RepositoryRecords::take_turn(core::Duration patience) const {
  auto const file = folder_ / "lock";
  if (auto turn = os::FileLock::take_within(file, patience)) return *std::move(turn);
  return std::unexpected("another work tree of that repository has been in the making for too long, by " +
                         os::lock_holder_in_words(file));
}

}  // namespace andon::runner
