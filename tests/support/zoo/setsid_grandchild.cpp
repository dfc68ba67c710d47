// Stays, with a grandchild in a session of its own that ignores polite signals.
#include "zoo.hpp"

int main() {
  if (::fork() == 0) {
    ::setsid();
    if (::fork() == 0) ::setsid();
    zoo::ignore_polite_signals();
    zoo::here();
    zoo::stay();
  }
  zoo::here();
  zoo::stay();
}
