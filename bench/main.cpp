// bench_load: plays one scene against a running server and prints one line of key=value pairs.
//   bench_load fill|mixed PORT TOKENFILE PID BOARD WAITING
//   bench_load load|cycle|drain|drain_cycle PORT TOKENFILE PID BOARD WORKERS SECONDS
//   bench_load pick|wake PORT TOKENFILE PID BOARD ROUNDS
//   bench_load memory PORT TOKENFILE PID BOARD STREAMS
//   bench_load processes ROUNDS COMMAND [ARGUMENT…]
#include <cstdio>
#include <exception>
#include <fstream>
#include <stdexcept>

#include "scenes.hpp"

namespace {

using Words = std::vector<std::string>;

std::string first_line(std::string const& path) {
  std::ifstream file(path);
  std::string line;
  if (!std::getline(file, line)) throw std::runtime_error("cannot read " + path);
  return line;
}

int play_on_board(Words const& words) {
  bench::Stage const stage{{std::stoi(words[1]), first_line(words[2])}, std::stoi(words[3]), words[4]};
  auto const& scene = words[0];
  auto const much = std::stoi(words[5]);
  if (scene == "fill") return bench::fill(stage, much, false), 0;
  if (scene == "mixed") return bench::fill(stage, much, true), 0;
  if (scene == "pick") return bench::pick(stage, much), 0;
  if (scene == "wake") return bench::wake(stage, much), 0;
  if (scene == "memory") return bench::memory(stage, much), 0;
  bool const is_drain = scene.starts_with("drain"), is_cycle = scene.ends_with("cycle");
  if ((is_drain || is_cycle || scene == "load") && words.size() > 6)
    return bench::load(stage, {.finish_picks = is_cycle, .refills = !is_drain}, much, std::stod(words[6])), 0;
  return 2;
}

int play(Words const& words) {
  if (words.size() > 2 && words[0] == "processes")
    return bench::processes(std::stoi(words[1]), {words.begin() + 2, words.end()}), 0;
  return words.size() > 5 ? play_on_board(words) : 2;
}

}  // namespace

int main(int count, char** arguments) try {
  auto const status = play({arguments + 1, arguments + count});
  if (status != 0) std::fputs("bench_load: see the head of bench/main.cpp\n", stderr);
  return status;
} catch (std::exception const& error) {
  std::fprintf(stderr, "bench_load: %s\n", error.what());
  return 1;
}
