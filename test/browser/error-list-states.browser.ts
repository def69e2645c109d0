import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { makeMember, makeProject, makeWorkspace } from "../support/make.ts";
import { eventually } from "../support/eventually.ts";
import type { TestPage } from "./test-page.ts";
import { useTestSite } from "./test-site.ts";
import { COMPLETE_EVENT, openErrorList, rowLink } from "./error-list.ts";

const site = await useTestSite({ LIMIT_INGEST: "100000", LIMIT_API: "100000" });
const openErrors = () => openErrorList(site);

const tab = (page: TestPage, name: RegExp) =>
  page.getByRole("navigation", { name: "Status" }).getByRole("link", { name });
const verbs = (page: TestPage) => page.getByRole("toolbar", { name: "Actions for selected items" });

test("unknown counts are shown as a dash, never as 0", async () => {
  const errors = await openErrors();
  await errors.send("Bare");
  const list = await site.open(errors.url);
  await rowLink(list, "Bare").waitFor();
  await list.getByRole("listitem").filter({ hasText: "Bare" }).getByText("unknown").waitFor();
  await list.leave();
  const page = await errors.openPageOf("Bare");
  const details = page.getByRole("complementary", { name: "Details" });
  await details.getByText("Unknown: no recent event includes a user.").waitFor();
  await details.getByText("No event includes a release.").waitFor();
  await details.getByText("No recent event includes a host.").waitFor();
  await page.leave();
});

test("the last page of 501 errors loads on scrolling, and selection, actions and live updates span the pages", async () => {
  const errors = await openErrors();
  for (let from = 0; from < 501; from += 50)
    await Promise.all(
      Array.from({ length: Math.min(50, 501 - from) }, (_, n) => errors.send(`Mass${from + n}Error`)),
    );
  const path = `/api/projects/${errors.project.id}/error-groups?direction=asc&limit=1`;
  const [oldest] = (await site.api.get(path)).body.data;
  for (const list of [errors.url, "/errors"]) {
    const preview = await site.open(`${list}?peek=${oldest.id}`);
    await preview
      .getByRole("region", { name: "Preview" })
      .getByRole("heading", { name: oldest.exception_class })
      .waitFor();
    await preview.leave();
  }

  const page = await site.open(errors.url);
  await page.getByText("500+ errors", { exact: true }).waitFor();
  // The live stream is open once a first change has arrived.
  await errors.send("Mass500Error");
  await page.getByText("2 events").first().waitFor({ state: "attached" });
  const list = page.getByRole("list", { name: "Errors" });
  const drawn = await list.getByRole("listitem").count();
  assert.ok(drawn > 5 && drawn < 50, `${drawn} rows are drawn`);
  await page.getByRole("checkbox", { name: "Select the 500 loaded errors" }).click();
  await page.getByText("500 errors selected").waitFor();
  await list.evaluate((rows) => rows.parentElement?.scrollTo(0, rows.scrollHeight));
  await page.getByText("501 errors", { exact: true }).waitFor();
  await tab(page, /^Open\s*501$/).waitFor();
  await page.getByText("500 errors selected").waitFor();
  await errors.send("Fresh");
  await page.getByRole("button", { name: "1 new" }).click();
  await page.getByText("502 errors", { exact: true }).waitFor();
  await page.getByRole("checkbox", { name: "Select all 502" }).click();
  await verbs(page).getByRole("button", { name: "Resolve", exact: true }).click();
  await page.getByText("502 resolved", { exact: true }).waitFor();
  await page.getByRole("heading", { name: "No open errors" }).waitFor();
  await tab(page, /^Ignored/).click();
  await page.getByText("No ignored errors").waitFor();
  await tab(page, /^Resolved/).click();
  await page.getByText("500+ errors", { exact: true }).waitFor();
  await page.leave();
});

test("a viewer can read errors but sees no actions", async () => {
  const errors = await openErrors();
  await errors.send("ReadOnly");
  const viewer = await makeMember(site.t.db, errors.project.id, { role: "Viewer" });
  const list = await site.open(errors.url, { as: viewer });
  await rowLink(list, "ReadOnly").waitFor();
  await eventually(() => list.getByRole("checkbox").count(), 0);
  await list.getByRole("button", { name: "Actions for ReadOnly" }).click();
  await list.getByRole("menuitem", { name: "Peek" }).waitFor();
  await eventually(() => list.getByRole("menuitem").count(), 1);
  await list.leave();
  const page = await errors.openPageOf("ReadOnly", { as: viewer });
  await page.getByRole("heading", { name: "Stack trace" }).waitFor();
  await eventually(() => page.getByRole("button", { name: /^(Resolve|Ignore|Reopen|Promote)/ }).count(), 0);
  await page.leave();
});

test("a workspace without error tracking says so", async () => {
  const workspace = await makeWorkspace(site.t.db, {
    admin: site.owner,
    features: { error_tracking: false },
  });
  const project = await makeProject(site.t.db, workspace.id);
  for (const path of ["errors", "errors/1"]) {
    const page = await site.open(`/projects/${project.key}/${path}`);
    await page.getByRole("heading", { name: "Turned off" }).waitFor();
    await page.leave();
  }
});

test("a project without errors leads to the code that sends them", async () => {
  const errors = await openErrors();
  const page = await site.open(errors.url);
  await page.getByRole("heading", { name: "No errors yet" }).waitFor();
  const setUp = page.getByRole("link", { name: "Set up error tracking" });
  const code = page.getByRole("heading", { name: "Send errors from your app" });
  await setUp.click();
  await code.waitFor();
  await page.getByRole("link", { name: "Overview" }).click();
  await setUp.click();
  await code.waitFor();
  await page.leave();
});

test("list, preview, menu and page have no accessibility violations in either theme and fit 320 px, with no tag cut off", async () => {
  const errors = await openErrors();
  await errors.send("WholeError", COMPLETE_EVENT);
  await errors.send("BareError");
  await site.api.post("/api/error-groups/bulk-status", {
    error_group_ids: [(await errors.group("BareError")).id],
    status: 1,
  });
  await errors.send("BareError");
  const { id } = await errors.group("WholeError");
  await site.t.db
    .insertInto("project_storms")
    .values({ project_id: errors.project.id, started_at: sql`now()`, last_at: sql`now()` })
    .execute();
  const storm = (page: TestPage) =>
    page.getByText("More events arrived than could be stored, from").waitFor();
  for (const theme of ["light", "dark"] as const) {
    const list = await site.open(`${errors.url}?peek=${id}`, { theme });
    await list.getByRole("region", { name: "Preview" }).getByText("App\\Cart->total").waitFor();
    await storm(list);
    await list.getByRole("checkbox", { name: "Select BareError" }).click();
    await list.checkAccessibility();
    await list.getByRole("button", { name: "Actions for BareError" }).click();
    await list.getByRole("menuitem", { name: "Ignore" }).waitFor();
    await list.checkAccessibility();
    await list.leave();
    const page = await site.open(`${errors.url}/${id}`, { theme });
    await page.getByText("App\\Cart->total").waitFor();
    await page.checkAccessibility();
    await page.leave();
  }
  for (const path of [errors.url, `${errors.url}/${id}`]) {
    const page = await site.open(path, { width: 320, height: 640 });
    await page.getByText("WholeError").first().waitFor();
    await eventually(
      () => page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth),
      true,
      `${path} scrolls sideways`,
    );
    await eventually(() => page.evaluate(cutTags), []);
    await page.leave();
  }
  const settings = await site.open(`/projects/${errors.project.id}/settings?section=usage`);
  await storm(settings);
  await settings.leave();
});

test("if today's events were counted without details, the overview, the errors and the usage say why", async () => {
  const errors = await openErrors();
  await errors.send("WholeError");
  const usage = () => site.t.db.updateTable("project_usage").where("project_id", "=", errors.project.id);
  const row = site.t.db.selectFrom("project_usage").where("project_id", "=", errors.project.id);
  await eventually(async () => (await row.select("accepted").execute()).length, 1);
  const pages = [
    `/projects/${errors.project.id}`,
    errors.url,
    `/projects/${errors.project.id}/settings?section=usage`,
  ];
  for (const [stored_bytes, text] of [
    [0, "3 events of today were counted without details, because a client created too many errors at once."],
    [3_000_000_000, "Today’s events and feedback have used up 2 GB of storage. Until midnight UTC,"],
  ] as const) {
    await usage().set({ trimmed: 3, stored_bytes }).execute();
    for (const path of pages) {
      const page = await site.open(path);
      await page.getByText(text).waitFor();
      await page.leave();
    }
  }
});

/** The texts of the parts of rows' second lines that are visible, but not as a whole. */
function cutTags(): string[] {
  return [...document.querySelectorAll("#main [data-row]")].flatMap((link) => {
    const line = link.parentElement?.parentElement;
    if (!line) return [];
    const { right, bottom } = line.getBoundingClientRect();
    return [...line.children].flatMap((tag) => {
      const box = tag.getBoundingClientRect();
      return box.top < bottom && (box.right > right + 1 || box.bottom > bottom + 1) ? tag.textContent : [];
    });
  });
}
