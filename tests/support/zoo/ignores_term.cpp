// Listens to no polite signal.
#include "zoo.hpp"

int main() {
  zoo::ignore_polite_signals();
  zoo::here();
  zoo::stay();
}
