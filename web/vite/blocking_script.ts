import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

// Loads one plain script before the first paint, under a hashed name of its own.
// A module would run too late and the content policy forbids an inline script.
export function blockingScript(source: string): Plugin {
  let reference: string | undefined;
  return {
    name: 'blocking-script',
    buildStart() {
      if (this.meta.watchMode || !this.environment.config.isProduction) return;
      reference = this.emitFile({ type: 'asset', name: 'theme.js', source: readFileSync(source, 'utf8') });
    },
    generateBundle(_options, bundle) {
      if (!reference) return;
      const page = bundle['index.html'];
      if (page?.type !== 'asset') return;
      page.source = String(page.source).replace(`/${source}`, `/${this.getFileName(reference)}`);
    },
  };
}
