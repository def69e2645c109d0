import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { runInNewContext } from "node:vm";
import { APP_PAGES, PROJECT, PROJECT_PAGES, PUBLIC_PAGES } from "./pages.ts";

type Event = { waitUntil: (work: unknown) => void } & Record<string, unknown>;

/** Runs the service worker and returns how to send it events, and what it did. */
function startWorker() {
  const listeners = new Map<string, (event: Event) => void>();
  const shown: { title: string; path: string }[] = [];
  const opened: string[] = [];
  const self = {
    location: { origin: "https://track.example.com" },
    addEventListener: (type: string, listener: (event: Event) => void) => listeners.set(type, listener),
    skipWaiting: () => {},
    registration: {
      showNotification: (title: string, { data }: { data: { path: string } }) =>
        shown.push({ title, path: data.path }),
    },
    clients: { openWindow: (url: string) => opened.push(url) },
  };
  const file = path.join(import.meta.dirname, "../public/service-worker.js");
  const caches = { keys: async () => [], match: async () => undefined };
  const fetch = async () => new Response("", { status: 503 });
  runInNewContext(readFileSync(file, "utf8"), { self, URL, caches, fetch, importScripts: () => {} });
  const send = (type: string, event: Record<string, unknown>) =>
    listeners.get(type)?.({ waitUntil: () => {}, ...event });
  const click = (to: string) =>
    send("notificationclick", { notification: { close: () => {}, data: { path: to } } });
  return { listeners, shown, opened, send, click };
}

test("the service worker shows a push message and opens its link", () => {
  const { shown, opened, send, click } = startWorker();
  send("push", { data: { json: () => ({ title: "WEB-1", path: "/projects/WEB/issues/WEB-1" }) } });
  assert.deepEqual(shown, [{ title: "WEB-1", path: "/projects/WEB/issues/WEB-1" }]);
  click("/projects/WEB/issues/WEB-1");
  assert.deepEqual(opened, ["https://track.example.com/projects/WEB/issues/WEB-1"]);
});

test("a push without content links to the inbox, and a link to another site is not opened", () => {
  const { shown, opened, send, click } = startWorker();
  send("push", { data: null });
  assert.deepEqual(shown, [{ title: "New notification", path: "/notifications" }]);
  click("https://evil.example.com/");
  click("//evil.example.com/");
  assert.deepEqual(opened, []);
});

/** Whether the service worker answers a request in place of the server. */
function isAnswered(url: string, request: { method?: string; mode?: string } = {}): boolean {
  let answered = false;
  startWorker().send("fetch", {
    request: { url: new URL(url, "https://track.example.com").href, method: "GET", mode: "cors", ...request },
    respondWith: () => (answered = true),
  });
  return answered;
}

const addressOf = (path: string) => path.replaceAll(/\$\w+/g, "7");

test("the service worker answers for every page in the app's frame, and for no other address", () => {
  const inFrame = [
    ...Object.values(APP_PAGES).map(({ path }) => path),
    ...Object.values(PROJECT_PAGES).map(({ path }) => `${PROJECT}${path}`),
  ];
  const others = [
    ...Object.values(PUBLIC_PAGES).map(({ path }) => path),
    "/api/docs",
    "/api/attachments/1",
    "/f/key",
    "/r/token",
    "/mine/token",
    "/widget.js",
    "/settings-of",
  ];
  const navigation = { mode: "navigate" };
  assert.deepEqual(
    inFrame.filter((path) => !isAnswered(addressOf(path), navigation)),
    [],
  );
  assert.deepEqual(
    others.filter((path) => isAnswered(addressOf(path), navigation)),
    [],
  );
});

test("the service worker answers for the app's files, and never for the API or another site", () => {
  assert.equal(isAnswered("/assets/app-1.js"), true);
  for (const url of ["/api/boot", "/api/issues", "/favicon.svg", "https://cdn.example.com/assets/app-1.js"])
    assert.equal(isAnswered(url), false, url);
  assert.equal(isAnswered("/assets/app-1.js", { method: "POST" }), false);
});
