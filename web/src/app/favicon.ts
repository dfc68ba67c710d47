import type { Lamp } from '../model/attention.ts';
import amber from '../ui/icons/lamp_amber.svg?url';
import dark from '../ui/icons/lamp_dark.svg?url';
import green from '../ui/icons/lamp_green.svg?url';
import red from '../ui/icons/lamp_red.svg?url';

const kIcons: Record<Lamp, string> = { red, amber, green, dark };

// Shows the lamp of the line in the tab of the browser.
export function showLamp(lamp: Lamp): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  if (link) link.href = kIcons[lamp];
}
