import assert from "node:assert/strict";
import { test } from "node:test";
import type { Request } from "playwright-core";
import { waitUntil } from "../support/eventually.ts";
import { anEvent } from "../support/error-events.ts";
import { makeProjectToken } from "../support/make.ts";
import { sendEvent } from "./error-list.ts";
import { trackLoading } from "./loading.ts";
import { useTestSite } from "./test-site.ts";
import type { TestPage } from "./test-page.ts";

const site = await useTestSite();
const p = `/api/projects/${site.project.id}`;

const { body: issue } = await site.api.post(`${p}/issues`, { title: "Keep the coupon", description: "Text" });
const sender = site.t.http.as(await makeProjectToken(site.t.db, site.project.id, site.owner.id));
await sendEvent(sender, `${p}/error-events`, anEvent({ exception_class: "CouponError" }));
const colleague = await site.member("Member");
const theirs = await site.clientOf(colleague);
await site.api.put(`${p}/reports/watch`, { watching: true });
await theirs.post(`${p}/reports`, { title: "Coupon lost", description: "Text" });
await theirs.post(`${p}/issues/${issue.id}/comments`, { content: "Hello @ada" });

await site.api.post(`${p}/monitors`, {
  name: "Nightly backup",
  schedule: { type: "crontab", value: "0 2 * * *" },
});

const { body: groups } = await site.api.get(`${p}/error-groups`);

const WEB = "/projects/WEB";
/** Pages with a text of their content. */
const PAGES: [name: string, path: string, text: string | RegExp][] = [
  ["issue", `${WEB}/issues/WEB-1`, "Keep the coupon"],
  ["issue list", `${WEB}/issues`, "Keep the coupon"],
  ["board", `${WEB}/board`, "Keep the coupon"],
  ["triage", `${WEB}/triage`, "Coupon lost"],
  ["errors", `${WEB}/errors`, /CouponError/],
  ["monitors", `${WEB}/monitors`, "Nightly backup"],
];

const INBOX = ["inbox", "/notifications?filter=all", /mentioned you/] as const;
const ERROR = ["error", `${WEB}/errors/${groups.data[0].id}`, /CouponError/] as const;
const SIGN_IN = ["sign-in", "/sign-in", /Password/] as const;
/** What is open beside the inbox. */
const OPENED = [
  ["inbox with an issue", "/notifications?filter=all", "Open WEB-1"],
  ["inbox with a report", "/notifications?filter=all&type=7", "Open report"],
] as const;

/** Lets the first `most` API requests of a page pass and holds all others. The sidebar's and pictures are not counted. */
async function holdAfter(page: TestPage, most: number): Promise<string[]> {
  const requested: string[] = [];
  await page.route("**/api/**", async (route) => {
    const { pathname } = new URL(route.request().url());
    if (/\/picture|\/(?:counts|views)$/.test(pathname)) return route.continue();
    requested.push(pathname);
    if (requested.length <= most) await route.continue();
  });
  return requested;
}

for (const [name, path, text] of [...PAGES, INBOX])
  test(`a cold ${name} page shows its content with its first 3 API requests`, async (t) => {
    const page = await site.open("/assets/none.txt");
    const requested = await holdAfter(page, 3);
    await page.goto(path);
    await page.locator("#main").getByText(text).first().waitFor();
    t.diagnostic(requested.join(" "));
    await page.leave();
  });

for (const [name, path, text] of [...PAGES, ERROR])
  test(`a cold ${name} page is rendered once, with its data`, async () => {
    const page = await site.open("/assets/none.txt", { newContext: true });
    const waiting = new Set<Request>();
    let answers = 0;
    page.on("request", (request) => {
      if (request.url().includes("/api/")) waiting.add(request);
    });
    page.on("requestfinished", (request) => waiting.delete(request) && answers++);
    // The data is there before the code.
    await page.route("**/assets/frame-*", async (route) => {
      await waitUntil(() => answers >= 2 && waiting.size === 0, "the HTML's requests are not answered");
      await route.continue();
    });
    await page.addInitScript(lengthenTimers);
    await page.addInitScript(() =>
      new MutationObserver((_, observer) => {
        const main = document.getElementById("main");
        if (!main) return;
        observer.disconnect();
        document.documentElement.dataset["first"] = main.textContent;
      }).observe(document, { subtree: true, childList: true }),
    );
    await page.goto(path);
    await page.locator("#main").getByText(text).first().waitFor();
    assert.match((await page.locator("html").getAttribute("data-first")) ?? "", new RegExp(text));
    await page.leave();
  });

declare global {
  /** How many collections of reads have begun that have not been sent. */
  var collecting: number;
}

/**
 * Runs in the page: lengthens timers that would end too early on a busy machine, those of collecting reads that are made
 * together, of waiting for a page's first data, and of using what the HTML has requested.
 */
function lengthenTimers(): void {
  const start = setTimeout;
  globalThis.collecting = 0;
  const setLonger = (run: () => void, ms = 0) => {
    if (ms !== 60) return start(run, ms === 1_000 || ms === 10_000 ? 60_000 : ms);
    globalThis.collecting++;
    const send = () => {
      globalThis.collecting--;
      run();
    };
    return start(send, 2_000);
  };
  Object.assign(window, { setTimeout: setLonger });
}

/** The HTML, styles, font, code, data, the event stream and what is loaded later; each image of a report is one more. */
const MAX_REQUESTS = 20;

test(`on a slow connection, a cold page makes at most ${MAX_REQUESTS} requests`, async (t) => {
  for (const [name, path, text] of [...PAGES, ERROR, ...OPENED, SIGN_IN]) {
    const page = await site.open("/assets/none.txt", { slow: true, ...(name === "sign-in" && { as: null }) });
    // The person has opened the project before.
    await page.context().addCookies([{ name: "recent_project", value: "WEB", url: site.url }]);
    await page.addInitScript(lengthenTimers);
    const requested: string[] = [];
    page.on("request", (request) => requested.push(request.url().replace(site.url, "")));
    const loading = trackLoading(page);
    await page.goto(path);
    await page.locator("#main").getByText(text).first().waitFor();
    const isCollecting = () => page.evaluate(() => globalThis.collecting > 0);
    await waitUntil(async () => {
      if (await isCollecting()) return false;
      await loading.done();
      return !(await isCollecting());
    });
    t.diagnostic(`${name}: ${requested.length} ${requested.join(" ")}`);
    assert.ok(requested.length <= MAX_REQUESTS, `${name}: ${requested.join(" ")}`);
    await page.leave();
  }
});

test("on a slow connection, the reads that a page starts together are one request", async () => {
  const page = await site.open("/assets/none.txt", { slow: true });
  await page.addInitScript(lengthenTimers);
  const requested: string[] = [];
  page.on("request", (request) => requested.push(new URL(request.url()).pathname));
  const latest = page.waitForResponse((response) => response.url().includes("latest"));
  await page.goto(ERROR[1]);
  await page.locator("#main").getByText(ERROR[2]).first().waitFor();
  assert.equal(new URL((await latest).url()).pathname, "/api/reads");
  assert.deepEqual(
    requested.filter((path) => /\/(?:latest|releases)$/.test(path)),
    [],
  );
  await page.leave();
});

test("the frame of a page is shown, and all its code is requested, before any code has arrived", async () => {
  const page = await site.open("/assets/none.txt", { newContext: true });
  const requested: string[] = [];
  const released = Promise.withResolvers<void>();
  await page.route("**/assets/*.js", async (route) => {
    requested.push(new URL(route.request().url()).pathname);
    await released.promise;
    await route.continue();
  });
  await page.goto(`${WEB}/issues`, { waitUntil: "commit" });
  await page.getByRole("status").getByText("Loading").waitFor();
  await page.getByText("Signalbox").waitFor();
  for (const part of ["app", "frame", "issues-page"])
    await waitUntil(() => requested.some((path) => path.startsWith(`/assets/${part}-`)), part);
  released.resolve();
  await page.locator("#main").getByText("Keep the coupon").waitFor();
  await page.leave();
});

test("a rate-limited first response leaves the frame in place until the retry succeeds", async () => {
  const page = await site.open("/assets/none.txt");
  const refused = new Set<string>();
  const { promise: seen, resolve: see } = Promise.withResolvers<void>();
  await page.route("**/api/{boot,projects/*/issues}?*", async (route) => {
    const name = new URL(route.request().url()).pathname.replace(/.*\//, "");
    if (refused.has(name)) {
      await seen;
      return route.continue();
    }
    refused.add(name);
    const body = JSON.stringify({ message: "Too many requests." });
    await route.fulfill({ status: 429, headers: { "retry-after": "0.1" }, body });
  });
  const retried = page.waitForRequest(
    (request) => request.url().includes("/api/boot") && refused.has("boot"),
  );
  await page.goto(`${WEB}/issues`);
  await retried;
  await page.getByRole("status").getByText("Loading").waitFor();
  see();
  await page.locator("#main").getByText("Keep the coupon").waitFor();
  assert.deepEqual([...refused].toSorted(), ["boot", "issues"]);
  await page.leave();
});
