import { mount } from 'svelte';
import './ui/tokens.css';
import './ui/page.css';
import { App } from './app/app.ts';
import { keepPageOffline } from './app/offline_shell.ts';
import Root from './ui/Root.svelte';
import { guardClicks } from './ui/click_guard_dom.ts';
import { reactive } from './ui/reactive.svelte.ts';

const app = new App(reactive, {
  isHidden: () => document.hidden,
  nextFrame: (action) => void requestAnimationFrame(action),
  after: (ms, action) => void setTimeout(action, ms),
  beforeDraw: guardClicks().beforeDraw,
});

mount(Root, { target: document.getElementById('app')!, props: { app } });
void app.start();
keepPageOffline();
