import assert from "node:assert/strict";
import { after, test } from "node:test";
import { anEvent } from "../support/error-events.ts";
import { eventually } from "../support/eventually.ts";
import { makeProjectToken } from "../support/make.ts";
import { sendEvent } from "./error-list.ts";
import { changeRows, readKept, waitForWorker, waitUntilKept } from "./kept-copies.ts";
import { startServer, stopServer } from "./site-server.ts";
import { useTestSite } from "./test-site.ts";

const site = await useTestSite();
const p = `/api/projects/${site.project.id}`;
let isStopped = false;
const stop = async () => {
  await stopServer(site);
  isStopped = true;
};
const start = async () => {
  await startServer(site);
  isStopped = false;
};
after(async () => {
  if (isStopped) await start();
});

await site.create("/issues", { title: "Keep the coupon", description: "The **basket** forgets it." });
const sender = site.t.http.as(await makeProjectToken(site.t.db, site.project.id, site.owner.id));
await sendEvent(sender, `${p}/error-events`, anEvent({ exception_class: "CouponError" }));
const colleague = await site.clientOf(await site.member("Member"));
await site.api.put(`${p}/reports/watch`, { watching: true });
const { body: report } = await colleague.post(`${p}/reports`, {
  title: "Coupon lost",
  description: "On the phone",
});
const { body: groups } = await site.api.get(`${p}/error-groups`);

/** The beginning of a query's key, as it is written in the JSON of its copy. */
const keyOf = (...key: unknown[]) => JSON.stringify(JSON.stringify(key).slice(0, -1)).slice(1, -1);

const { id } = site.project;
const groupId = groups.data[0].id;

/** Pages with the file that contains their code, a text of their content, and the key of the query that contains it. */
const PAGES: [path: string, file: string, text: string | RegExp, key: string][] = [
  ["/projects/WEB/issues", "issues-page", "Keep the coupon", keyOf("issue", id, "list")],
  ["/projects/WEB/issues/WEB-1", "issue-page", "basket", keyOf("issue", id, "one")],
  [
    `/projects/WEB/errors/${groupId}`,
    "error-group-page",
    /CouponError/,
    keyOf("error_group", id, "one", groupId),
  ],
  [`/projects/WEB/reports/${report.id}`, "report-page", "On the phone", keyOf("report", id, "one")],
  ["/notifications?filter=all", "inbox-page", /Coupon lost/, keyOf("notification", null, "list")],
];

test("a page that was opened before is first rendered with its content", async () => {
  const page = await site.open("/projects/WEB/issues", { keeps: true });
  const row = page.getByRole("link", { name: "Keep the coupon", exact: true });
  await row.waitFor();
  await waitForWorker(page, "issues-page");
  await waitUntilKept(page, keyOf("issue", id, "list"));
  await page.addInitScript(() => {
    new MutationObserver(() => {
      if (document.querySelector("#main [role=status]")) document.documentElement.dataset["loading"] = "";
    }).observe(document, { childList: true, subtree: true });
    // The first page waits a second for its copies. A busy machine may take longer to read them.
    const start = setTimeout;
    const startLonger = (run: () => void, ms = 0) => start(run, ms === 1_000 ? 60_000 : ms);
    Object.assign(window, { setTimeout: startLonger });
  });
  await page.route("**/api/**", () => {});
  await page.goto("/projects/WEB/issues");
  await row.waitFor();
  assert.equal(await page.locator("html").getAttribute("data-loading"), null);
  await page.leave();
});

test("pages that were opened before show their content without a connection, and others say that they cannot", async () => {
  const page = await site.open("/projects/WEB/issues", { keeps: true });
  for (const [path, file, text, key] of PAGES) {
    await page.goto(path);
    await page.locator("#main").getByText(text).first().waitFor();
    await waitForWorker(page, file);
    await waitUntilKept(page, key);
  }

  await stop();
  for (const [path, , text] of PAGES) {
    await page.goto(path);
    await page.locator("#main").getByText(text).first().waitFor();
  }
  await page.getByText("No connection to the server. This page").waitFor();
  await page.goto("/projects/WEB/issues/WEB-9");
  await page.getByText("this page has not been opened on this device before").waitFor();
  await page.checkAccessibility();
  await start();
  await page.getByText("No connection to the server. This page").waitFor({ state: "hidden" });
  page.complaints.splice(0);
  await page.leave();
});

test("a page whose code was never fetched says so without a connection, and opens by itself when it is back", async () => {
  const page = await site.open("/projects/WEB/issues", { keeps: true });
  await page.getByRole("link", { name: "Keep the coupon", exact: true }).waitFor();
  await waitForWorker(page, "issues-page");
  await waitUntilKept(page, "Keep the coupon");

  await stop();
  await page.goto("/projects/WEB/epics");
  await page.getByText("this page has not been opened on this device before").waitFor();
  await page.evaluate(() => Object.assign(window, { sameDocument: true }));
  await page.checkAccessibility();
  await start();
  await page.getByRole("heading", { name: "Epics", level: 1 }).waitFor();
  await eventually(() => page.evaluate(() => "sameDocument" in window), true);
  page.complaints.splice(0);
  await page.leave();
});

test("a list is shown from its copy before the server answers, and then corrected", async () => {
  const issue = await site.create("/issues", { title: "Before" });
  const page = await site.open("/projects/WEB/issues", { keeps: true });
  const link = (name: string) => page.getByRole("link", { name, exact: true });
  await link("Before").waitFor();
  await waitUntilKept(page, "Before");
  await page.goto("/assets/none.txt");
  await site.api.patch(`${p}/issues/${issue.id}`, { title: "After" });
  const answered = Promise.withResolvers<void>();
  await page.context().route(/\/api\/(?:boot|projects)/, async (route) => {
    await answered.promise;
    await route.continue();
  });
  await page.goto("/projects/WEB/issues");
  await link("Before").waitFor();
  answered.resolve();
  await link("After").waitFor();
  await page.leave();
});

test("a corrected list waits until an open menu is closed", async () => {
  const issue = await site.create("/issues", { title: "Menu before" });
  const page = await site.open("/projects/WEB/issues", { keeps: true });
  const link = (name: string) => page.getByRole("link", { name, exact: true });
  await link("Menu before").waitFor();
  await waitUntilKept(page, "Menu before");
  await page.goto("/assets/none.txt");
  await site.api.patch(`${p}/issues/${issue.id}`, { title: "Menu after" });
  const answered = Promise.withResolvers<void>();
  await page.context().route(/\/api\/projects\/[^/]+\/issues\?/, async (route) => {
    await answered.promise;
    await route.continue();
  });
  await page.goto("/projects/WEB/issues");
  await link("Menu before").waitFor();
  await page.getByRole("navigation", { name: "Main" }).getByRole("button").last().click();
  await page.getByRole("menu").waitFor();
  const arrived = page.waitForResponse(/\/issues\?/);
  answered.resolve();
  await (await arrived).finished();
  await link("Menu before").waitFor();
  await page.keyboard.press("Escape");
  await link("Menu after").waitFor();
  await page.leave();
});

test("what two tabs read is kept, and neither puts back what the other has corrected", async () => {
  const issue = await site.create("/issues", { title: "Read in a tab", description: "Only in the second" });
  const page = await site.open("/projects/WEB/issues", { keeps: true });
  await page.getByRole("link", { name: "Read in a tab", exact: true }).waitFor();
  const second = await page.context().newPage();
  await second.goto(`/projects/WEB/issues/${issue.key}`);
  await second.getByText("Only in the second").waitFor();
  await waitUntilKept(page, "Only in the second");
  await site.api.patch(`${p}/issues/${issue.id}`, { title: "Corrected in both" });
  await page.getByRole("link", { name: "Corrected in both", exact: true }).waitFor();
  await waitUntilKept(page, "Corrected in both");
  await eventually(async () => (await readKept(page)).includes("Read in a tab"), false);
  await second.close();
  await page.leave();
});

test("a damaged database costs nothing but the copies", async () => {
  const page = await site.open("/projects/WEB/issues", { keeps: true });
  const shown = page.getByRole("link", { name: "Keep the coupon", exact: true });
  await shown.waitFor();
  await waitUntilKept(page, "Keep the coupon");
  await page.goto("/assets/none.txt");
  await changeRows(page, "copies", { json: '{"pages":7}' });
  await page.goto("/projects/WEB/issues");
  await shown.waitFor();
  await page.evaluate(() => void indexedDB.deleteDatabase("signalbox"));
  await page.goto("/projects/WEB/issues");
  await shown.waitFor();
  await page.addInitScript(() => {
    Object.defineProperty(globalThis, "indexedDB", { value: undefined });
  });
  await page.goto("/projects/WEB/issues");
  await shown.waitFor();
  page.complaints.splice(0);
  await page.leave();
});
