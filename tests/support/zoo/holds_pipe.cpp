// The leader ends with 3, its child keeps the pipes open.
#include "zoo.hpp"

int main() {
  if (::fork() == 0) {
    zoo::here();
    zoo::stay();
  }
  zoo::here();
  std::puts("leader done");
  return 3;
}
