import assert from "node:assert/strict";
import { test } from "node:test";
import { readMyReportsPaths } from "../../src/server/reports/subscriptions/my-reports-page.ts";
import { subscriptionSecret } from "../../src/server/reports/subscriptions/subscription-links.ts";
import { readServerSecret } from "../../src/server/reports/status/server-secret.ts";
import { eventually } from "../support/eventually.ts";
import { makeProjectToken } from "../support/make.ts";
import { useTestSite } from "./test-site.ts";
import type { TestPage } from "./test-page.ts";

/* The pages that emails to people without an account link to. */

const site = await useTestSite();
const reports = `/api/projects/${site.project.id}/reports`;
const sender = site.t.http.as(await makeProjectToken(site.t.db, site.project.id, site.owner.id));

/** Sends a report from outside, subscribes an address to it, and returns the paths of the links in its emails. */
async function subscribe(email: string) {
  const sent = await sender.post(reports, { title: `The cart of ${email} is empty`, description: "Again." });
  assert.equal(sent.status, 201, sent.text);
  const { url } = (await site.api.get(`${reports}/${sent.body.id}/status-link`)).body;
  const answer = await site.t.http.post(`/api${new URL(url).pathname}/subscription`, { email });
  assert.equal(answer.status, 202, answer.text);
  const secret = await readServerSecret(site.t.db);
  const read = () =>
    site.t.db
      .selectFrom("report_subscriptions")
      .selectAll()
      .where("report_id", "=", sent.body.id)
      .where("email", "=", email)
      .executeTakeFirst();
  const row = await read();
  assert.ok(row);
  const link = `/subscriptions/${subscriptionSecret(secret, row)}`;
  return {
    confirm: `${link}/confirm`,
    unsubscribe: `${link}/unsubscribe`,
    isConfirmed: async () => ((await read())?.confirmed_at ?? null) !== null,
    mine: async () => {
      const paths = await site.t.db
        .transaction()
        .execute((tx) => readMyReportsPaths(tx, secret, { projectId: site.project.id, emails: [email] }));
      return paths.get(email) ?? "";
    },
  };
}

const widthOf = (page: TestPage) => page.evaluate(() => document.documentElement.scrollWidth);

test("the pages of a subscription are accessible and fit, in both themes and all widths", async () => {
  const email = `${"kim.".repeat(15)}k@example.com`;
  const links = await subscribe(email);
  assert.equal((await site.t.http.post(`/api${links.confirm}`)).status, 204);
  const mine = await links.mine();
  for (const [name, path] of Object.entries({
    confirm: links.confirm,
    unsubscribe: links.unsubscribe,
    mine,
  }))
    for (const theme of ["light", "dark"] as const)
      for (const width of [1280, 768, 320]) {
        const page = await site.open(path, { as: null, theme, width });
        await page.getByRole("heading", { level: 1 }).waitFor();
        await eventually(() => widthOf(page), width, `${name} scrolls sideways at ${width} px`);
        await page.checkAccessibility();
        await page.leave();
      }
});

test("a press of the button confirms the address, and another one unsubscribes it", async () => {
  const links = await subscribe("kim@example.com");
  const page = await site.open(links.confirm, { as: null });
  await page.getByRole("button", { name: "Confirm your address" }).click();
  await page.getByText("Thank you. Your address is confirmed.").waitFor();
  await eventually(() => links.isConfirmed(), true);
  await page.goto(links.unsubscribe);
  await page.getByRole("button", { name: "Unsubscribe" }).click();
  await page.getByText("You are unsubscribed.").waitFor();
  await eventually(() => links.isConfirmed(), false);
  await page.leave();
});

test("without JavaScript, the browser itself sends the forms that confirm and unsubscribe", async () => {
  const links = await subscribe("bo@example.com");
  const page = await site.open(links.confirm, { as: null });
  const context = await page.context().browser()?.newContext({ javaScriptEnabled: false, baseURL: site.url });
  assert.ok(context);
  const plain = await context.newPage();
  await plain.goto(links.confirm);
  assert.match((await plain.locator("noscript").textContent()) ?? "", /It works all the same\./);
  await plain.getByRole("button", { name: "Confirm your address" }).click();
  await eventually(links.isConfirmed, true);
  await plain.goto(links.unsubscribe);
  await plain.getByRole("button", { name: "Unsubscribe" }).click();
  await eventually(links.isConfirmed, false);
  await context.close();
  await page.leave();
});
