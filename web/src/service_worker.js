// Shows the page while the server is away. Navigations go to the server first; the page that was kept is shown when
// it does not answer. Files under /assets/ never change, so the kept ones are used. Requests for data, streams and
// everything but GET pass by. The build writes kBuild and kFiles before this text (vite/service_worker.ts).
const kKept = `andon-${kBuild}`;
const kPatience = 4000; // ms
const kOfTheServer = /^\/(api|mcp|openapi\.json|healthz|readyz|metrics)(\/|$)/;

addEventListener('install', (event) => {
  skipWaiting();
  event.waitUntil(caches.open(kKept).then((kept) => kept.addAll(kFiles.map((path) => new Request(path, { cache: 'no-cache' })))));
});

addEventListener('activate', (event) => event.waitUntil(Promise.all([forgetOlder(), clients.claim()])));

addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin || kOfTheServer.test(pathname)) return;
  if (request.mode === 'navigate') event.respondWith(pageOf(request));
  else if (pathname.startsWith('/assets/')) event.respondWith(caches.match(request).then((kept) => kept ?? fetch(request)));
});

async function forgetOlder() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith('andon-') && name !== kKept).map((name) => caches.delete(name)));
}

// A proxy in front answers 502 to 504 for a server that is away.
async function pageOf(request) {
  const kept = async () => (await (await caches.open(kKept)).match('/')) ?? Response.error();
  const late = new Promise((resolve) => setTimeout(resolve, kPatience));
  const answer = await Promise.race([fetch(request).catch(() => undefined), late]);
  return !answer || answer.status >= 500 ? kept() : answer;
}
