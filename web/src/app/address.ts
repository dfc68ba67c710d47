import type { Cell, CellMaker } from '../model/cell.ts';
import { formatRoute, parseRoute, type Route } from '../router/route.ts';

// Keeps the route and the address of the page the same.
export class Address {
  readonly route: Cell<Route>;

  constructor(make: CellMaker) {
    this.route = make<Route>(parseRoute(location.pathname, location.search));
    addEventListener('popstate', () => this.route.set(parseRoute(location.pathname, location.search)));
  }

  // Every step leads away from the list of all that waits, except the one to it.
  go(change: Partial<Route>): void {
    this.#set({ attention: undefined, ...change }, 'pushState');
  }

  // Corrects the address without a step in the history.
  settle(change: Partial<Route>): void {
    this.#set(change, 'replaceState');
  }

  #set(change: Partial<Route>, how: 'pushState' | 'replaceState'): void {
    const route = { ...this.route.get(), ...change };
    history[how](null, '', formatRoute(route));
    this.route.set(route);
  }
}
