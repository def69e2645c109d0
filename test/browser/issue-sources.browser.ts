import assert from "node:assert/strict";
import { test } from "node:test";
import type { Issue } from "../../src/shared/issues.ts";
import { anEvent } from "../support/error-events.ts";
import { eventually } from "../support/eventually.ts";
import { makeErrorGroup } from "../support/make-error-group.ts";
import { makeProjectToken } from "../support/make.ts";
import { sendEvent } from "./error-list.ts";
import { addToIssue, pageOf, readIssue } from "./issue-page.ts";
import type { TestPage } from "./test-page.ts";
import { useTestSite } from "./test-site.ts";

const site = await useTestSite();
const base = `/api/projects/${site.project.id}`;

const read = (issue: { id: number }) => readIssue(site, issue);

const sender = site.t.http.as(await makeProjectToken(site.t.db, site.project.id, site.owner.id));

/** Promotes an error with this class to a new issue. */
async function promoteError(exception_class: string): Promise<{ id: number; issue: Issue }> {
  const { id } = await makeErrorGroup(
    site.t.db,
    {
      id: site.project.id,
      send: (event: Record<string, unknown>) => sendEvent(sender, `${base}/error-events`, anEvent(event)),
    } as never,
    { exception_class, latest_message: "too slow", occurrence_count: 12 },
  );
  const linked = await site.api.post(`${base}/error-groups/${id}/promote`);
  return { id, issue: await read({ id: linked.body.linked_issue_id }) };
}

const sourcesOf = (page: TestPage) => page.getByRole("region", { name: "Sources" });

test("an issue shows the report it was created from", async () => {
  const report = await site.api.post(`${base}/reports`, {
    title: "The cart is empty",
    description: "Always",
  });
  const promoted = await site.api.post(`${base}/reports/promote`, {
    report_ids: [report.body.id],
    title: "Keep the cart",
    description: "From a report",
  });
  const issue = await read({ id: promoted.body[0].promoted_issue_id });
  const page = await site.open(pageOf(issue));
  await page.getByText(/^Opened .* by .*, from a report$/).waitFor();
  await sourcesOf(page).getByRole("link", { name: "The cart is empty" }).waitFor();
  await page.leave();
});

test("an issue shows the error it was created from, with its status", async () => {
  const { issue } = await promoteError("TimeoutError");
  const page = await site.open(pageOf(issue));
  await sourcesOf(page).getByRole("link", { name: "TimeoutError: too slow" }).waitFor();
  await sourcesOf(page).getByText("Open", { exact: true }).waitFor();
  await page.getByText(/^Opened .* by .*, from an error$/).waitFor();
  await page.leave();
});

test("an error is unlinked from its issue", async () => {
  const { issue } = await promoteError("NetworkError");
  const page = await site.open(pageOf(issue));
  await sourcesOf(page).getByRole("button", { name: "Unlink NetworkError" }).click();
  await sourcesOf(page).getByRole("link", { name: "NetworkError: too slow" }).waitFor({ state: "detached" });
  await page.getByText("NetworkError unlinked").waitFor();
  await page.leave();
});

test("Ctrl Z undoes linking an error that was found by its message", async () => {
  const { id, issue } = await promoteError("StorageError");
  assert.equal((await site.api.delete(`${base}/error-groups/${id}/link`)).status, 200);
  const page = await site.open(pageOf(issue));
  const source = sourcesOf(page).getByRole("link", { name: "StorageError: too slow" });
  await addToIssue(page, "Error");
  await page.getByRole("combobox", { name: "Search: Link an error" }).fill("too sl");
  await page.getByRole("option", { name: /StorageError: too slow/ }).click();
  await source.waitFor();
  await page.getByText(/^Opened .* by .*, linked to an error$/).waitFor();
  await page.getByText("StorageError linked").waitFor();
  await page.keyboard.press("Control+z");
  await source.waitFor({ state: "detached" });
  await eventually(
    async () => (await site.api.get(`${base}/error-groups/${id}`)).body.linked_issue_id as number | null,
    null,
  );
  await page.leave();
});
