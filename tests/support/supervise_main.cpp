// The supervising process of the tests, also for checks. Instead of a server it asks files of the run
// directory: `answer` holds what heartbeats are answered, `beats` counts them, `finish.json` receives the
// end, the pipe `progress` what is told meanwhile.
#include <cstdio>
#include <fstream>
#include <string>
#include <string_view>

#include "os/files/file.hpp"
#include "reflect/json.hpp"
#include "runner/runs/run_files.hpp"
#include "runner/supervision/supervise.hpp"
#include "runner/supervision/supervised_check.hpp"

namespace {

using namespace andon;
using namespace andon::runner;

class FileLink : public ServerLink {
 public:
  explicit FileLink(std::filesystem::path dir) : dir_(std::move(dir)) {}

  HeartbeatAnswer heartbeat() override {
    std::ofstream{dir_ / "beats", std::ios::app} << "x";
    auto const answer = os::read_file_if_there(dir_ / "answer", 100).value_or("held");
    if (answer == "stale") return HeartbeatAnswer::stale;
    if (answer == "reported") return HeartbeatAnswer::reported;
    if (answer == "cancelled") return HeartbeatAnswer::cancelled;
    if (answer == "unreachable") return HeartbeatAnswer::unreachable;
    return HeartbeatAnswer::held;
  }
  void progress(ProgressReport const& report) override {
    if (std::filesystem::exists(dir_ / "progress")) std::ofstream{dir_ / "progress"} << report.line;
  }
  bool keep_place(core::WorkPlace const& place) override {
    os::write_file(dir_ / "place.json", reflect::to_json(place));
    return true;
  }
  FinishAnswer finish(EndRecord const& record) override {
    if (std::filesystem::exists(dir_ / "refuse-finish-once")) {
      std::filesystem::remove(dir_ / "refuse-finish-once");
      return FinishAnswer::unreachable;
    }
    os::write_file(dir_ / "finish.json", reflect::to_json(record));
    return FinishAnswer::accepted;
  }

 private:
  std::filesystem::path dir_;
};

}  // namespace

int main(int count, char** arguments) {
  if (count < 2) return 2;
  if (std::string_view{arguments[1]} == "supervise-check") return andon::runner::supervise_check();
  FileLink link{arguments[count - 1]};
  return andon::runner::supervise(arguments[count - 1], andon::runner::take_key(), link);
}
