import assert from "node:assert/strict";
import { test } from "node:test";
import type { Report } from "../../src/shared/reports.ts";
import { eventually } from "../support/eventually.ts";
import { makeUser } from "../support/make.ts";
import type { TestPage } from "./test-page.ts";
import { useTestSite } from "./test-site.ts";

const site = await useTestSite();

const title = (page: TestPage) => page.getByRole("textbox", { name: "Title" });
const description = (page: TestPage) => page.getByRole("textbox", { name: "Description" });

/** Runs the service worker, which receives what other apps share. */
async function startWorker(page: TestPage): Promise<void> {
  await page.evaluate(async () => {
    await navigator.serviceWorker.register("/service-worker.js");
    await navigator.serviceWorker.ready;
  });
  // The worker takes the requests of pages that are opened from now on.
  await page.reload();
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
}

type Shared = {
  title?: string;
  text?: string;
  url?: string;
  images?: readonly { name: string; bytes: number }[];
};

/** Sends a form as the browser does when another app shares something. */
const share = (page: TestPage, shared: Shared) =>
  page.evaluate(async ({ images = [], ...texts }) => {
    const form = document.createElement("form");
    Object.assign(form, { method: "post", action: "/share", enctype: "multipart/form-data" });
    for (const [name, value] of Object.entries(texts)) {
      const input = document.createElement("input");
      Object.assign(input, { name, value });
      form.append(input);
    }
    const canvas = new OffscreenCanvas(8, 8);
    canvas.getContext("2d")?.fillRect(0, 0, 8, 8);
    const png = await canvas.convertToBlob({ type: "image/png" });
    const files = new DataTransfer();
    for (const { name, bytes } of images)
      files.items.add(new File([png, new Uint8Array(bytes)], name, { type: "image/png" }));
    const input = document.createElement("input");
    Object.assign(input, { type: "file", name: "images", multiple: true, files: files.files });
    form.append(input);
    document.body.append(form);
    form.submit();
  }, shared);

const reports = async () => (await site.api.get("/api/projects/WEB/reports")).body as Report[];

test("a shared link becomes a report", async () => {
  const page = await site.open("/", { newContext: true, keeps: true });
  await startWorker(page);
  await share(page, { title: "Cart", text: "The total is wrong", url: "https://shop.example.com/cart" });
  await page.waitForURL("**/share?kept=1");
  await eventually(() => title(page).inputValue(), "Cart");
  await eventually(
    () => description(page).inputValue(),
    "The total is wrong\n\nhttps://shop.example.com/cart",
  );
  await page.getByRole("button", { name: /^Create report/ }).click();
  await page.waitForURL(/\/projects\/WEB\/reports\/\d+$/);
  const report = (await reports()).find((one) => one.title === "Cart");
  assert.equal(report?.description, "The total is wrong\n\nhttps://shop.example.com/cart");
  await page.leave();
});

test("a shared picture becomes a report with it, and one that is too large is named", async () => {
  const page = await site.open("/", { newContext: true, keeps: true });
  await startWorker(page);
  await share(page, {
    title: "Screenshot",
    text: "Overlapping buttons",
    images: [
      { name: "buttons.png", bytes: 0 },
      { name: "huge.png", bytes: 4 * 1_048_576 },
    ],
  });
  await page.waitForURL("**/share?kept=1");
  await page.getByRole("alert").getByText("Not added: huge.png.").waitFor();
  await page.getByRole("button", { name: "Remove buttons.png" }).waitFor();
  await page.getByRole("button", { name: /^Create report/ }).click();
  await page.waitForURL(/\/projects\/WEB\/reports\/\d+$/);
  const attachments = async () =>
    (await reports()).find((report) => report.title === "Screenshot")?.attachments_count;
  await eventually(attachments, 1);
  await eventually(() => page.evaluate(() => caches.has("shared")), false);
  await page.leave();
});

test("something shared before the service worker runs is not kept, and the page says so", async () => {
  const before = (await reports()).length;
  // This page is not allowed a service worker.
  const page = await site.open("/");
  await page.getByRole("heading", { level: 1 }).waitFor();
  await share(page, { title: "Too early", text: "Nothing" });
  await page.waitForURL("**/share?lost=1");
  await page.getByRole("alert").getByText("What you shared did not arrive.").waitFor();
  assert.equal((await reports()).length, before);
  await page.leave();
});

test("the shortcuts open the dialog of a new issue and the triage of the last project", async () => {
  const page = await site.open("/shortcuts/new-issue");
  await page.getByRole("dialog").getByRole("textbox", { name: "Title" }).waitFor();
  await page.waitForURL("**/projects/WEB/issues");
  await page.goto("/shortcuts/triage");
  await page.waitForURL("**/projects/WEB/triage");
  await page.getByRole("heading", { level: 1, name: "Triage" }).waitFor();
  await page.leave();
});

test("a shortcut without a session leads to signing in, and then to its page", async () => {
  const page = await site.open("/shortcuts/triage", { as: null });
  await page.waitForURL((url) => url.searchParams.get("return_to") === "/shortcuts/triage");
  await page.leave();
});

test("without a project, a shortcut and the page for sharing say so", async () => {
  const stranger = await makeUser(site.t.db, { username: "noor", email: "noor@example.com" });
  const page = await site.open("/shortcuts/new-issue", { as: stranger });
  await page.getByText("None of your projects lets you create issues.").waitFor();
  await page.goto("/share?text=Hello");
  await page.getByText("No project to report to").waitFor();
  await page.leave();
});

test("the installed app's badge shows the number of unread notifications until the person signs out", async () => {
  const author = await site.clientOf(await site.member("Member", { username: "grace" }));
  const issue = await site.create("/issues", { title: "Badge" });
  await author.post(`/api/projects/WEB/issues/${issue.id}/comments`, { content: "@ada look" });
  const page = await site.open("/settings/profile", { newContext: true });
  await page.addInitScript(() => {
    const note = async (count: number) => localStorage.setItem("badge", String(count));
    Object.assign(navigator, {
      setAppBadge: note,
      clearAppBadge: () => note(0),
    });
  });
  const badge = () => page.evaluate(() => localStorage.getItem("badge"));
  await page.goto("/");
  await eventually(badge, "1");
  await page.getByRole("navigation", { name: "Main" }).getByRole("button").last().click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.waitForURL("**/sign-in");
  await eventually(badge, "0");
  await page.leave();
});
