import { getContext, setContext } from 'svelte';
import type { App } from '../app/app.ts';

const kApp = Symbol('app');

export const provideApp = (app: App): App => setContext(kApp, app);
export const useApp = (): App => getContext<App>(kApp);
