import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { runInNewContext } from "node:vm";

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
  const file = path.join(import.meta.dirname, "../public/push-worker.js");
  runInNewContext(readFileSync(file, "utf8"), { self, URL });
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

test("the service worker handles no requests", () => {
  assert.deepEqual([...startWorker().listeners.keys()].sort(), ["install", "notificationclick", "push"]);
});
