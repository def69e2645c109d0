import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "../support/eventually.ts";
import { makeIngestKey } from "../support/make.ts";
import { openReportQueue, preview, row, shownTitles } from "./report-queue.ts";
import { useTestSite } from "./test-site.ts";

const site = await useTestSite();

/** A queue with reports that visitors of a web page have sent. */
async function openFeedback(...bodies: object[]) {
  const queue = await openReportQueue(site);
  const key = await makeIngestKey(site.t.db, queue.id);
  for (const body of bodies) {
    const answer = await site.t.http.send({
      method: "POST",
      url: `/api/projects/${queue.id}/feedback`,
      payload: JSON.stringify(body),
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    });
    assert.equal(answer.status, 201, answer.text);
  }
  return queue;
}

test("a report from a web page shows its kind, its author and where it was written", async () => {
  const queue = await openFeedback({
    title: "The cart is empty",
    description: "It was full.",
    author_name: "Kim",
    author_email: "kim@example.com",
    kind: "bug",
    page: "https://shop.example.com/cart?step=2",
    viewport: "1280x720",
    language: "en-US",
    release: "4.12.1",
    environment: "production",
    tags: { plan: "pro" },
  });
  const page = await queue.open();
  await row(page, "The cart is empty").getByText("· Feedback").waitFor();
  const report = preview(page);
  await report.getByText("Bug", { exact: true }).first().waitFor();
  await report.getByText("kim@example.com").waitFor();
  await report.getByText("not confirmed").waitFor();
  const link = report.getByRole("link", { name: /^shop\.example\.com\/cart/ });
  await link.waitFor();
  assert.equal(await link.getAttribute("href"), "https://shop.example.com/cart");
  for (const fact of ["1280 × 720", "en-US", "production", "plan: pro"])
    await report.getByText(fact, { exact: true }).waitFor();
  await report.getByRole("link", { name: "4.12.1" }).waitFor();
  await page.checkAccessibility();
  await page.leave();
});

test("the queue is filtered by kind, and the filter is kept in the URL", async () => {
  const queue = await openFeedback(
    { description: "A dark theme", kind: "idea" },
    { description: "The cart is empty", kind: "bug" },
    { description: "Where is my order?" },
  );
  const page = await queue.open();
  await row(page, "A dark theme").waitFor();
  await page.getByRole("button", { name: "Kind" }).press("Enter");
  await page.getByRole("option", { name: "Idea" }).click();
  await page.waitForURL(/kind=idea/);
  await eventually(() => shownTitles(page), ["A dark theme"]);
  await page.checkAccessibility();
  await page.getByRole("button", { name: "Kind: Idea" }).click();
  await page.getByRole("option", { name: "Question" }).click();
  await page.getByText("No active reports are of this kind.").waitFor();
  await page.getByRole("button", { name: "Clear filters" }).click();
  await eventually(() => shownTitles(page), ["A dark theme", "The cart is empty", "Where is my order?"]);
  await page.leave();
});

test("a report that its author calls a bug is promoted as a bug", async () => {
  const queue = await openFeedback({ description: "The cart is empty", kind: "bug" });
  const page = await queue.open();
  await preview(page).getByRole("button", { name: "Type" }).waitFor();
  await preview(page).getByRole("button", { name: "Promote", exact: true }).click();
  const types = async () =>
    (
      (await queue.client.get(`/api/projects/${queue.id}/issues`)).body as {
        data: { type: number }[];
      }
    ).data.map(({ type }) => type);
  await eventually(types, [1]);
  await page.leave();
});
