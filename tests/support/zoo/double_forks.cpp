// Leaves a daemon behind, as daemons are started, and ends well.
#include "zoo.hpp"

int main() {
  zoo::Roll const roll;
  if (::fork() == 0) {
    ::setsid();
    if (::fork() == 0) {
      zoo::ignore_polite_signals();
      zoo::here();
      roll.answer();
      zoo::stay();
    }
    ::_exit(0);
  }
  zoo::here();
  roll.call();
  std::puts("the daemon is up");
}
