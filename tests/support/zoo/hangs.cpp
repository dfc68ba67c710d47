// Does nothing at all.
#include "zoo.hpp"

int main() {
  zoo::here();
  zoo::stay();
}
