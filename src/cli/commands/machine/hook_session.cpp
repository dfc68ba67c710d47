#include "cli/commands/machine/hook_session.hpp"

#include <exception>

#include "core/text/names.hpp"
#include "os/digest.hpp"
#include "os/files/file.hpp"
#include "os/system_error.hpp"
#include "reflect/json.hpp"

namespace andon::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestMemory = 4096;
constexpr std::size_t kDigits = 32;
constexpr std::chrono::days kKept{7};
/// The most files that one look for old ones goes over.
constexpr int kMostLooks = 1000;

fs::path folder(Environment const& env) {
  if (fs::path const state = env.variable("XDG_STATE_HOME"); state.is_absolute())
    return state / "andon/hooks";
  if (fs::path const home = env.variable("HOME"); home.is_absolute())
    return home / ".local/state/andon/hooks";
  return {};
}

/// Sessions that ended without a word leave their files.
void remove_old(fs::path const& place) {
  std::error_code error;
  auto const oldest = fs::file_time_type::clock::now() - kKept;
  int looks = 0;
  for (fs::directory_iterator it(place, error), end; !error && it != end && looks < kMostLooks; ++looks) {
    auto const file = it->path();
    it.increment(error);
    std::error_code gone;
    if (auto const written = fs::last_write_time(file, gone); !gone && written < oldest)
      fs::remove(file, gone);
  }
}

}  // namespace

HookSession::HookSession(Environment const& env, std::string const& session) : now_(env.clock.now()) {
  auto const place = folder(env);
  if (!place.empty()) file_ = place / os::hex(os::sha256(session)).substr(0, kDigits);
}

HookMemory HookSession::load() const try {
  if (file_.empty()) return {};
  auto const text = os::read_file_if_there(file_, kLongestMemory);
  auto memory = reflect::read_json<HookMemory>(text.value_or("{}"), reflect::Unknown::ignore);
  if (!memory) return {};
  if (!core::is_name(memory->name)) memory->name.clear();
  // A clock that was set back, or a wrong file, must not stop renewals for longer than a moment.
  auto const now = std::chrono::floor<std::chrono::seconds>(now_.time_since_epoch()).count();
  if (memory->asked < 0 || memory->asked > now) memory->asked = 0;
  return *memory;
} catch (os::SystemError const&) {
  return {};
}

bool HookSession::save(HookMemory const& memory) const try {
  if (file_.empty()) return false;
  std::error_code missing;
  bool const is_new = !fs::exists(file_, missing);
  if (is_new) os::make_private_directory(file_.parent_path());
  os::write_passing_file(file_, reflect::to_json(memory) + "\n");
  if (is_new) remove_old(file_.parent_path());
  return true;
} catch (std::exception const&) {
  return false;
}

void HookSession::forget() const {
  std::error_code gone;
  if (!file_.empty()) fs::remove(file_, gone);
}

}  // namespace andon::cli
