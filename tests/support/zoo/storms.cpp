// Every process starts the next one in a group of its own and ends.
#include "zoo.hpp"

int main() {
  zoo::here();
  if (::fork() != 0) zoo::stay();
  // A minute of generations at most: the alarm does not pass through fork.
  for (int generation = 0; generation < 100000; ++generation) {
    ::setpgid(0, 0);
    zoo::end_by_yourself();
    if (::fork() != 0) ::_exit(0);
    ::usleep(500);
  }
}
