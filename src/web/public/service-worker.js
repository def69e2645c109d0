// Shows push messages and opens their links, and keeps the app's files, so that it starts without a connection. It keeps no
// responses of the API: what was read is kept by the app itself, for the person who is signed in.

importScripts("/share-worker.js");

/** The app's page without anything that belongs to an address or a person. */
const SHELL = "/shell.html";

/** Paths of pages in the app's frame. All other pages are loaded from the server. */
const PAGES =
  /^\/(?:$|(?:notifications|my-issues|errors|search|settings|workspaces|projects|share|shortcuts)(?:\/|$))/;

/** File names under this path contain a hash of the content. */
const ASSETS = "/assets/";

/** The name of a cache begins with this. Each holds one build: the page, and files that were used. */
const PREFIX = "app ";

self.addEventListener("install", (event) => {
  self.skipWaiting();
  // The files are only to save time: push messages need none.
  event.waitUntil(keepShell().catch(() => {}));
});

self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const { method, mode, url } = event.request;
  const { origin, pathname } = new URL(url);
  if (method !== "GET" || origin !== self.location.origin) return;
  if (mode === "navigate") {
    if (PAGES.test(pathname)) event.respondWith(openPage(event));
  } else if (pathname.startsWith(ASSETS)) event.respondWith(readFile(event));
});

// The first page names the files that it loaded before there was a worker.
self.addEventListener("message", (event) => {
  const files = event.data.files.filter((file) => new URL(file).pathname.startsWith(ASSETS));
  event.waitUntil(Promise.all(files.map(keepMissing)).catch(() => {}));
});

/** Answers with the kept page at once, and fetches a newer one for the next start. */
async function openPage(event) {
  event.waitUntil(keepShell().catch(() => {}));
  return (await findShell()) ?? fetch(event.request);
}

/** The newest page whose files are all there. */
async function findShell() {
  for (const name of (await cacheNames()).toReversed()) {
    const cache = await caches.open(name);
    const shell = await cache.match(SHELL);
    const files = filesIn((await shell?.clone().text()) ?? "");
    const kept = await Promise.all(files.map((file) => cache.match(file, ANY)));
    if (shell && kept.every(Boolean)) return shell;
  }
  return undefined;
}

/** The files are the same for every request, whatever their headers say. */
const ANY = { ignoreVary: true };

let keeping;

/** Fetches the page, and if it is new, its files; it is used only once all of them are there. */
function keepShell() {
  keeping ??= fetchShell().finally(() => {
    keeping = undefined;
  });
  return keeping;
}

async function fetchShell() {
  const response = await fetchFile(SHELL, { cache: "no-store" });
  const html = await response.clone().text();
  const files = filesIn(html);
  const names = await cacheNames();
  const newest = names.at(-1);
  const current = newest && (await (await caches.open(newest)).match(SHELL));
  if (files.length === 0 || (await current?.text()) === html) return;
  const name = `${PREFIX}${Date.now()}`;
  const cache = await caches.open(name);
  try {
    await Promise.all(
      files.map(async (file) => cache.put(file, (await caches.match(file, ANY)) ?? (await fetchFile(file)))),
    );
    await cache.put(SHELL, response);
  } catch (error) {
    await caches.delete(name);
    throw error;
  }
  // The one before stays: pages that are open may still load its files.
  for (const old of names.slice(0, -1)) await caches.delete(old);
}

const cacheNames = async () => (await caches.keys()).filter((name) => name.startsWith(PREFIX));

const filesIn = (html) => [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, file]) => file);

async function fetchFile(path, options) {
  const response = await fetch(path, options);
  if (!response.ok) throw new Error(`${path} answered ${response.status}.`);
  return response;
}

/** Answers with the kept file, or the server's, which is kept for the next time. */
async function readFile(event) {
  const kept = await caches.match(event.request.url, ANY);
  if (kept) return kept;
  const response = await fetch(event.request);
  if (response.ok) event.waitUntil(keepFile(event.request.url, response.clone()));
  return response;
}

async function keepMissing(file) {
  if (!(await caches.match(file, ANY))) await keepFile(file, await fetchFile(file));
}

async function keepFile(url, response) {
  const newest = (await cacheNames()).at(-1);
  if (newest !== undefined) await (await caches.open(newest)).put(url, response);
}

self.addEventListener("push", (event) => {
  let message = {};
  try {
    message = event.data.json();
  } catch {
    // Browsers require a notification for every push.
  }
  const { title = "New notification", path = "/notifications" } = message;
  event.waitUntil(
    self.registration.showNotification(title, { icon: "/icon-192.png", tag: path, data: { path } }),
  );
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const url = new URL(event.notification.data.path, self.location.origin);
  // A link never leads to another site.
  if (url.origin !== self.location.origin) return;
  event.waitUntil(self.clients.openWindow(url.href));
});
