import { readFileSync, readdirSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

// What the first view loads, in kB after gzip -9, against the budget.
const kBudgets = { js: 90, css: 12 };
const dist = new URL('../dist/', import.meta.url);
const gzipped = (path) => gzipSync(readFileSync(new URL(path, dist)), { level: 9 }).length / 1000;

const page = readFileSync(new URL('index.html', dist), 'utf8');
const first = [...page.matchAll(/(?:src|href)="\/(assets\/[^"]+\.(?:js|css))"/g)].map((match) => match[1]);
const sizes = { js: 0, css: 0 };
for (const path of first) sizes[path.endsWith('.js') ? 'js' : 'css'] += gzipped(path);

let over = false;
for (const [kind, budget] of Object.entries(kBudgets)) {
  const size = sizes[kind];
  over ||= size > budget || size === 0;
  console.log(`first view ${kind}: ${size.toFixed(1)} of ${budget} kB`);
}
const everything = readdirSync(new URL('assets/', dist)).reduce((sum, name) => sum + gzipped(`assets/${name}`), 0);
console.log(`everything: ${everything.toFixed(1)} kB`);
process.exit(over ? 1 : 0);
