// The leader ends with 3, its child keeps the pipes open.
#include "zoo.hpp"

int main() {
  zoo::Roll const roll;
  if (::fork() == 0) {
    zoo::here();
    roll.answer();
    zoo::stay();
  }
  zoo::here();
  roll.call();
  std::puts("leader done");
  return 3;
}
