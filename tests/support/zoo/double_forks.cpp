// Leaves a daemon behind, as daemons are started, and ends well.
#include "zoo.hpp"

int main() {
  if (::fork() == 0) {
    ::setsid();
    if (::fork() == 0) {
      zoo::ignore_polite_signals();
      zoo::here();
      zoo::stay();
    }
    ::_exit(0);
  }
  zoo::here();
  std::puts("the daemon is up");
}
