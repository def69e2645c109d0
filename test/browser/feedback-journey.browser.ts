import assert from "node:assert/strict";
import { after, test } from "node:test";
import { notifyDoneReports } from "../../src/server/errors/releases/notify-done-reports.ts";
import { MailDelivery } from "../../src/server/mail/delivery.ts";
import { eventually } from "../support/eventually.ts";
import { png } from "../support/images.ts";
import { makeIngestKey, makeProjectToken } from "../support/make.ts";
import { recordedEnvelope } from "../support/sentry.ts";
import { openSmtpSink, type Received } from "../support/smtp-sink.ts";
import { openReportQueue, preview, row, type ReportQueue } from "./report-queue.ts";
import type { TestPage } from "./test-page.ts";
import { useTestSite } from "./test-site.ts";
import { NONCE, openShop, partsOf, strictPolicy } from "./widget-page.ts";

/* From a visitor's crash to the email about its fix. The visitor and the team have a browser context each. */

const site = await useTestSite({ LIMIT_FEEDBACK_ADDRESS: "1000" });
const shop = await openShop(site);
const sink = await openSmtpSink();
const delivery = new MailDelivery(site.t.db, sink.settings, () => site.url);
after(async () => {
  delivery.close();
  await sink.close();
});

/** A project that tells reporters what was released. */
async function openProject(): Promise<ReportQueue & { ingestKey: string }> {
  const queue = await openReportQueue(site);
  const answer = await site.api.patch(`/api/projects/${queue.id}`, {
    lifecycle: { ship_tells_reporters: true },
  });
  assert.equal(answer.status, 200, answer.text);
  return { ...queue, ingestKey: await makeIngestKey(site.t.db, queue.id) };
}

/** Sends what is due, as the jobs do, and returns the emails since the last call. */
async function receiveMails(): Promise<Received[]> {
  await Promise.all([notifyDoneReports(site.t.db), notifyDoneReports(site.t.db)]);
  await Promise.all([delivery.deliver(), delivery.deliver()]);
  return sink.mails.splice(0);
}

const linkIn = (mail: Received | undefined, path: string): string => {
  const links = (mail?.text ?? "").match(/https?:\S+/g) ?? [];
  return links.find((link) => link.includes(path)) ?? assert.fail(`no link to ${path} in ${mail?.text}`);
};

/** Fills in the open form, sends it, and follows the link to its status. */
async function send(page: TestPage, email: string): Promise<void> {
  const form = page.getByRole("dialog");
  await form.getByRole("textbox", { name: "Title" }).fill("The checkout is broken");
  await form.getByRole("textbox", { name: "Description" }).fill("I only paid.");
  await form.getByRole("textbox", { name: "Email" }).fill(email);
  await form.getByRole("button", { name: /^Send/ }).click();
  const link = form.getByRole("link", { name: "See what becomes of it" });
  await page.goto((await link.getAttribute("href")) ?? "");
  await badge(page).getByText("Received").waitFor();
}

const badge = (page: TestPage) => page.locator(".badge");

async function confirmAddress(page: TestPage, email: string) {
  const status = page.url();
  const [mail, ...others] = await receiveMails();
  assert.deepEqual([mail?.recipients, others], [[email], []]);
  await page.goto(linkIn(mail, "/confirm"));
  await page.getByRole("button", { name: "Confirm your address" }).click();
  await page.getByText("Your address is confirmed.").waitFor();
  await page.goto(status);
}

/** The team promotes the report with its error, closes the issue and deploys the fix. */
async function fix(queue: ReportQueue, error: RegExp, check = async (_page: TestPage) => {}) {
  const page = await queue.open();
  const report = preview(page);
  const errors = report.getByRole("list", { name: "Errors of this report" });
  await errors.getByRole("link", { name: error }).waitFor();
  await report.getByRole("checkbox", { name: /Also link the error/, checked: true }).waitFor();
  await check(page);
  await row(page, "The checkout is broken").getByRole("link").focus();
  await page.keyboard.press("e");
  await page.getByRole("button", { name: `Open ${queue.key}-1` }).click();
  await page.getByRole("heading", { level: 1, name: "The checkout is broken" }).waitFor();
  await page.getByRole("link", { name: error }).waitFor();
  await page.getByRole("button", { name: /^Lane/ }).click();
  await page.getByRole("option", { name: "Done" }).click();
  const issue = async () => (await queue.client.get(`/api/projects/${queue.id}/issues/${queue.key}-1`)).body;
  await eventually(async () => (await issue()).closed_at !== null, true);
  assert.deepEqual(await receiveMails(), [], "the fix is not released yet");
  const pipeline = site.t.http.as(await makeProjectToken(site.t.db, queue.id, site.owner.id));
  const deploy = { version: "4.13.0", environment: "production" };
  assert.equal((await pipeline.post(`/api/projects/${queue.id}/releases`, deploy)).status, 201);
  await page.leave();
}

/** The status page says in which release the report is done, and so does one email that links to it. */
async function hearOfTheFix(page: TestPage, email: string) {
  await page.reload();
  await eventually(() => badge(page).innerText(), "Done in 4.13.0");
  const mails = await receiveMails();
  assert.deepEqual(
    mails.map(({ recipients, subject }) => [recipients, subject]),
    [[[email], "Done: The checkout is broken"]],
  );
  assert.equal(linkIn(mails[0], "/r/"), page.url());
  assert.deepEqual(await receiveMails(), []);
}

const errorGroups = async ({ id }: ReportQueue) =>
  ((await site.api.get(`/api/projects/${id}/error-groups`)).body.data as unknown[]).length;

test("a visitor who writes in the crash dialog of a Sentry SDK gets one email when the fix is released", async () => {
  const queue = await openProject();
  const page = await shop.open({
    key: queue.ingestKey,
    policy: `default-src 'none'; script-src 'nonce-${NONCE}' ${site.url}; connect-src ${site.url}`,
  });
  await crashWithSdk(page, queue);
  await page.getByRole("dialog", { name: "Send feedback" }).waitFor();
  await send(page, "kim@example.com");
  await confirmAddress(page, "kim@example.com");
  await fix(queue, /TypeError/);
  await hearOfTheFix(page, "kim@example.com");
  await page.leave();
});

/** Does what the SDK does when an application calls `Sentry.showReportDialog()` for an error that it has sent. */
async function crashWithSdk(page: TestPage, { id, ingestKey }: { id: number; ingestKey: string }) {
  const body = recordedEnvelope("event", "", "browser-10.78.0");
  const { event_id } = JSON.parse(body.split("\n", 1)[0] ?? "") as { event_id: string };
  const dialog = new URLSearchParams({
    dsn: `${site.url.replace("//", `//${ingestKey}@`)}/${id}`,
    eventId: event_id,
    lang: "en",
  });
  const status = await page.evaluate(
    async ({ envelope, body, dialog }) => {
      const response = await fetch(envelope, { method: "POST", body });
      const script = document.createElement("script");
      script.crossOrigin = "anonymous";
      script.src = dialog;
      document.head.append(script);
      return response.status;
    },
    {
      envelope: `${site.url}/api/${id}/envelope/?sentry_version=7&sentry_key=${ingestKey}`,
      body,
      dialog: `${site.url}/api/embed/error-page/?${dialog.toString()}`,
    },
  );
  assert.equal(status, 200);
}

test("a visitor who sends an image with the widget after a crash gets one email when the fix is released", async () => {
  const queue = await openProject();
  const page = await shop.open({
    key: queue.ingestKey,
    policy: strictPolicy(site.url),
    before: `<script src="${site.url}/reporter/reporter.js" nonce="${NONCE}" data-project="${queue.id}"
        data-key="${queue.ingestKey}" data-release="4.12.0"></script>
      <button id="pay">Pay</button>`,
    after: `<script nonce="${NONCE}">
      document.querySelector("#pay").onclick = () => { throw new RangeError("no coupon"); };
    </script>`,
  });
  await page.getByRole("button", { name: "Pay" }).click();
  await eventually(() => errorGroups(queue), 1);
  page.complaints.length = 0;
  const { button, form } = partsOf(page);
  await button.click();
  const image = { name: "cart.png", mimeType: "image/png", buffer: await png(60, 40) };
  await form.locator("input[type=file]").setInputFiles([image]);
  await form.getByRole("img", { name: "Image 1" }).waitFor();
  await send(page, "bo@example.com");
  await page.getByRole("img", { name: "Image 1 of your report" }).waitFor();
  await confirmAddress(page, "bo@example.com");
  await fix(queue, /RangeError/, (team) =>
    preview(team)
      .getByRole("button", { name: /^View / })
      .waitFor(),
  );
  await hearOfTheFix(page, "bo@example.com");
  await page.leave();
});
