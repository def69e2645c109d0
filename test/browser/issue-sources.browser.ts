import assert from "node:assert/strict";
import { test } from "node:test";
import { anEvent } from "../support/error-events.ts";
import { eventually } from "../support/eventually.ts";
import { makeErrorGroup } from "../support/make-error-group.ts";
import { makeProjectToken } from "../support/make.ts";
import { addToIssue, pageOf, readIssue } from "./issue-page.ts";
import { useTestSite } from "./test-site.ts";

const site = await useTestSite();
const base = `/api/projects/${site.project.id}`;

const read = (issue: { id: number }) => readIssue(site, issue);

test("an issue shows the reports and the error group it was created from", async () => {
  const report = await site.api.post(`${base}/reports`, {
    title: "The cart is empty",
    description: "Always",
  });
  const promoted = await site.api.post(`${base}/reports/promote`, {
    report_ids: [report.body.id],
    title: "Keep the cart",
    description: "From a report",
  });
  const fromReport = await read({ id: promoted.body[0].promoted_issue_id });
  const page = await site.open(pageOf(fromReport));
  await page.getByText(/^Opened .* by .*, from a report$/).waitFor();
  await page
    .getByRole("region", { name: "Sources" })
    .getByRole("link", { name: "The cart is empty" })
    .waitFor();
  await page.leave();

  const sender = site.t.http.as(await makeProjectToken(site.t.db, site.project.id, site.owner.id));
  const { id } = await makeErrorGroup(
    site.t.db,
    {
      id: site.project.id,
      send: async (event: Record<string, unknown>) => {
        assert.equal((await sender.post(`${base}/error-events`, anEvent(event))).status, 202);
      },
    } as never,
    { exception_class: "TimeoutError", latest_message: "too slow", occurrence_count: 12 },
  );
  const linked = await site.api.post(`${base}/error-groups/${id}/promote`);
  const fromError = await read({ id: linked.body.linked_issue_id });
  const second = await site.open(pageOf(fromError));
  const section = second.getByRole("region", { name: "Sources" });
  await section.getByRole("link", { name: "TimeoutError: too slow" }).waitFor();
  await section.getByText("Open", { exact: true }).waitFor();
  await second.getByText(/^Opened .* by .*, from an error$/).waitFor();

  await section.getByRole("button", { name: "Unlink TimeoutError" }).click();
  await section.getByRole("link", { name: "TimeoutError: too slow" }).waitFor({ state: "detached" });
  await second.getByText("TimeoutError unlinked").waitFor();
  await addToIssue(second, "Error");
  await second.getByRole("combobox", { name: "Search: Link an error" }).fill("too sl");
  await second.getByRole("option", { name: /TimeoutError: too slow/ }).click();
  await section.getByRole("link", { name: "TimeoutError: too slow" }).waitFor();
  await second.getByText(/^Opened .* by .*, linked to an error$/).waitFor();
  await second.getByText("TimeoutError linked").waitFor();
  await second.keyboard.press("Control+z");
  await section.getByRole("link", { name: "TimeoutError: too slow" }).waitFor({ state: "detached" });
  await eventually(
    async () => (await site.api.get(`${base}/error-groups/${id}`)).body.linked_issue_id as number | null,
    null,
  );
  await second.leave();
});
