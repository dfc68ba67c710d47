import { remember, remembered } from './remembered.ts';

const kUsual = 560;

// How wide a task stands beside the board, in px.
export function drawerWidth(): number {
  return Number(remembered('drawer')) || kUsual;
}

export function rememberDrawerWidth(width: number): void {
  remember('drawer', String(width));
}
