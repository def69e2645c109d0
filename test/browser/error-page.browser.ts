import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "../support/eventually.ts";
import { useTestSite } from "./test-site.ts";
import { focusOn } from "./focus.ts";
import { COMPLETE_EVENT, openErrorList, rowLink } from "./error-list.ts";

const site = await useTestSite({ LIMIT_INGEST: "100000", LIMIT_API: "100000" });
const openErrors = () => openErrorList(site);

test("three errors are handled on their pages with the keyboard only, and the list is restored", async () => {
  const errors = await openErrors();
  for (const name of ["Cee", "Bee", "Ay"]) await errors.send(name, { environment: "staging" });
  await errors.send("Other");
  const page = await site.open(`${errors.url}?environment=staging`);
  await rowLink(page, "Ay").waitFor();
  await page.keyboard.press("j");
  await focusOn(page, "link", "Ay");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Ay" }).waitFor();
  await page.getByRole("button", { name: /^Resolve/ }).waitFor();
  await page.keyboard.press("e");
  await page.getByText(/Resolved by Ada Moss/).waitFor();
  await page.keyboard.press("j");
  await page.getByRole("heading", { level: 1, name: "Bee" }).waitFor();
  await page.getByRole("button", { name: /^Ignore/ }).waitFor();
  await page.keyboard.press("h");
  await page.getByText("Ignored: new events are counted but do not reopen it.").waitFor();
  await page.keyboard.press("j");
  await page.getByRole("heading", { level: 1, name: "Cee" }).waitFor();
  await page.keyboard.press("k");
  await page.getByRole("heading", { level: 1, name: "Bee" }).waitFor();
  await page.getByRole("button", { name: /^Reopen/ }).waitFor();
  await page.keyboard.press("u");
  await page.getByRole("button", { name: /^Ignore/ }).waitFor();
  await page.keyboard.press("Escape");
  await page.waitForURL(/errors\?environment=staging$/);
  await rowLink(page, "Cee").waitFor();
  await eventually(() => rowLink(page, "Ay").count(), 0);
  await page.leave();
});

test("promoting an error includes its open reports, except those that are removed", async () => {
  const errors = await openErrors();
  const event_id = "0b57d1e5a64c4d5f8d0f6a1c2e3b4a59";
  await errors.send("Reported", { event_id });
  const reports = `/api/projects/${errors.project.id}/reports`;
  const report = { description: "What happened", error_event_id: event_id };
  const [wanted, left] = [
    (await site.api.post(reports, { ...report, title: "It broke" })).body,
    (await site.api.post(reports, { ...report, title: "Unrelated" })).body,
  ];
  const page = await errors.openPageOf("Reported");
  await page.getByRole("button", { name: /^Promote/ }).waitFor();
  await page.keyboard.press("Shift+p");
  const dialog = page.getByRole("dialog", { name: "Promote Reported to an issue" });
  await dialog.getByRole("button", { name: `Remove #${left.id}` }).click();
  await page.checkAccessibility();
  await page.keyboard.press("Control+Enter");
  await page.getByText(`${errors.project.key}-1 created`).waitFor();
  await page.getByText("From Reported and 1 report").waitFor();
  await dialog.waitFor({ state: "hidden" });
  const promotedTo = async ({ id }: { id: number }) =>
    (await site.api.get(`${reports}/${id}`)).body.promoted_issue_id as number | null;
  await eventually(() => promotedTo(wanted), (await errors.group("Reported")).linked_issue_id);
  await eventually(() => promotedTo(left), null);
  await page.leave();
});

test("a template sets the title, type and priority of the issue that an error is promoted to", async () => {
  const errors = await openErrors();
  await errors.send("Templated");
  const path = `/api/projects/${errors.project.id}`;
  const template = { name: "Crash", title: "Crash:", priority: 0 };
  assert.equal((await site.api.post(`${path}/issue-templates`, template)).status, 201);
  const page = await errors.openPageOf("Templated");
  await page.getByRole("button", { name: /^Promote/ }).click();
  const dialog = page.getByRole("dialog", { name: "Promote Templated to an issue" });
  await dialog.getByRole("button", { name: /^Template/ }).click();
  await page.getByRole("option", { name: "Crash" }).click();
  await dialog.getByRole("button", { name: /^Type.*Bug/ }).waitFor();
  await dialog.getByRole("button", { name: /^Priority.*Highest/ }).waitFor();
  await page.keyboard.press("Control+Enter");
  await dialog.waitFor({ state: "hidden" });
  const [issue] = (await site.api.get(`${path}/issues`)).body.data;
  assert.deepEqual([issue.title, issue.type, issue.priority], ["Crash: Templated: Templated happened", 1, 0]);
  await page.leave();
});

test("promoting an error that another user just promoted shows the existing issue", async () => {
  const errors = await openErrors();
  await errors.send("PromoteMe");
  const { id } = await errors.group("PromoteMe");
  const page = await errors.openPageOf("PromoteMe");
  const promote = page.getByRole("button", { name: /^Promote/ });
  await promote.waitFor();
  // Another user promotes it first, before this page receives the change.
  await page.route("**/promote", async (route) => {
    await site.api.post(`/api/projects/${errors.project.id}/error-groups/${id}/promote`);
    await route.continue();
  });
  await promote.click();
  const dialog = page.getByRole("dialog", { name: "Promote PromoteMe to an issue" });
  await dialog.getByRole("button", { name: "Create issue" }).click();
  await dialog.getByText(/already linked to an issue/).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: new RegExp(`${errors.project.key}-1.*PromoteMe`) }).waitFor();
  await eventually(() => promote.count(), 0);
  await page.leave();
});

test("a double click on Resolve resolves the error and does nothing else", async () => {
  const errors = await openErrors();
  await errors.send("Twice");
  const page = await errors.openPageOf("Twice", { width: 1440 });
  await page.getByRole("button", { name: /^Resolve/ }).dblclick();
  await page.getByText("Twice resolved").waitFor();
  assert.equal((await errors.group("Twice")).status, 1);
  await page.getByRole("button", { name: /^Ignore/ }).waitFor();
  await page.leave();
});

test("a resolved error that recurs in another release is shown as regressed live", async () => {
  const errors = await openErrors();
  await errors.send("Boomerang", { release: "1.8.2" });
  const page = await errors.openPageOf("Boomerang");
  await page.getByRole("button", { name: /^Resolve/ }).click();
  await page.getByText("Reopens if seen in a release other than 1.8.2.").waitFor();
  await page.getByRole("button", { name: /^Reopen/ }).waitFor();
  // The page shows it before the server has it.
  await eventually(async () => (await errors.group("Boomerang")).status, 1);
  await errors.send("Boomerang", { release: "1.9.0" });
  await page.getByText(/Reopened by release 1\.9\.0/).waitFor();
  await page.getByText("Regressed", { exact: true }).first().waitFor();
  // The chart names the release at its mark.
  await page.locator("svg text", { hasText: "1.9.0" }).waitFor();
  await page.getByRole("navigation", { name: "Breadcrumb" }).getByRole("link", { name: "Errors" }).click();
  await page.getByText("Regressed in 1.9.0").waitFor();
  await page.leave();
});

test("a resolved error without a release reopens at the next event", async () => {
  const errors = await openErrors();
  await errors.send("Nameless");
  const page = await errors.openPageOf("Nameless");
  await page.getByRole("button", { name: /^Resolve/ }).click();
  await page.getByText("Reopens at the next event.").waitFor();
  await page.leave();
});

test("the counts are reloaded on the next UTC day", async () => {
  const errors = await openErrors();
  await errors.send("Daily");
  const page = await site.open("/my-issues", { newContext: true });
  await page.clock.install();
  for (const path of [errors.url, `${errors.url}/${(await errors.group("Daily")).id}`]) {
    await page.goto(path);
    await page.getByText("Daily happened").first().waitFor();
    const again = page.waitForResponse(/\/error-groups/);
    await page.clock.fastForward("24:00:00");
    await again;
  }
  await page.leave();
});

test("the page of an error shows counts, context, memory, releases, hosts, trace and causes", async () => {
  const errors = await openErrors();
  await errors.send("WholeError", COMPLETE_EVENT);
  const page = await errors.openPageOf("WholeError");
  await page.getByRole("heading", { level: 1, name: "WholeError WholeError happened" }).waitFor();
  const details = page.getByRole("complementary", { name: "Details" });
  for (const text of [
    "POST /orders/{order}",
    "orders.store",
    "OrderController@store",
    "500",
    "E42",
    "PHP 8.4.1",
    "Laravel 12.3.0",
    "96 MB of 128 MB",
    "web-1",
    "3.2.1",
  ])
    await details.getByText(text, { exact: true }).first().waitFor();

  const chart = page.getByRole("slider", { name: /^Events in the last 30 days/ });
  await chart.focus();
  const shows = async (text: RegExp) => text.test((await chart.getAttribute("aria-valuetext")) ?? "");
  await eventually(() => shows(/1 event · 3\.2\.1 first seen$/), true);
  await page.keyboard.press("ArrowLeft");
  await eventually(() => shows(/ · 0 events$/), true);

  const trace = page.getByRole("region", { name: "Stack trace", exact: true });
  await trace.getByText("App\\Cart->total").waitFor();
  await trace.getByRole("button", { name: "3 library frames" }).click();
  await trace.getByText("route", { exact: true }).waitFor();
  await trace.getByRole("button", { name: "Raw" }).click();
  await trace.getByText("#3 {main}").waitFor();
  await trace.getByRole("button", { name: "All", exact: true }).click();
  await trace.getByText("most recent call first").waitFor();

  await page.getByRole("heading", { name: "2 causes" }).waitFor();
  await page.getByText("Db->query").waitFor();
  await page.getByRole("button", { name: "Caused by SocketException" }).click();
  await page.getByText("reset by peer").waitFor();
  for (const name of ["Copy stack trace", /^Copy stack trace of cause 1, /])
    await page.getByRole("button", { name, exact: true }).waitFor();
  await page.leave();
});

test("an unknown error and one of another project show the not-found page", async () => {
  const errors = await openErrors();
  const other = await openErrors();
  await other.send("Elsewhere");
  const { id } = await other.group("Elsewhere");
  for (const path of [`${errors.url}/${id}`, `${errors.url}/nonsense`]) {
    const page = await site.open(path);
    await page.getByText("Page not found").waitFor();
    await page.leave();
  }
});

test("an error is assigned by key, discussed, and its history shows who did what", async () => {
  const errors = await openErrors();
  await errors.send("TakeMe", { release: "3.0.0" });
  const page = await errors.openPageOf("TakeMe");
  await page.getByRole("button", { name: /^Assignee: Nobody/ }).waitFor();
  await page.keyboard.press("a");
  await page.getByRole("option", { name: /Ada Moss/ }).click();
  await page.getByRole("button", { name: /^Assignee: Ada Moss/ }).waitFor();
  // The assignee starts watching.
  await page.getByRole("button", { name: "Watching", exact: true }).waitFor();
  await page.getByRole("textbox", { name: "Write a comment" }).fill("The coupon is *gone*.");
  await page.getByRole("button", { name: "Comment", exact: true }).click();
  await page.getByRole("list", { name: "Threads" }).getByText("gone").waitFor();
  await page.checkAccessibility();
  await page.getByRole("link", { name: "History" }).click();
  await page
    .getByRole("region", { name: "History" })
    .getByText(/assigned themselves/)
    .waitFor();
  const { id } = await errors.group("TakeMe");
  const comments = `/api/projects/${errors.project.id}/error-groups/${id}/comments`;
  await eventually(async () => (await site.api.get(comments)).body.meta.count, 1);
  await page.leave();
});

test("a report and the error that it came with lead to each other", async () => {
  const errors = await openErrors();
  const event_id = "b".repeat(32);
  await errors.send("Reported", { event_id });
  const { status, text } = await site.api.post(`/api/projects/${errors.project.id}/reports`, {
    title: "The cart empties",
    description: "At noon.",
    error_event_id: event_id,
  });
  assert.equal(status, 201, text);
  const page = await errors.openPageOf("Reported");
  await page.getByRole("list", { name: "Reports" }).getByRole("link", { name: "The cart empties" }).click();
  await page
    .getByRole("list", { name: "Errors of this report" })
    .getByRole("link", { name: /Reported/ })
    .click();
  await page.getByRole("heading", { level: 1, name: "Reported" }).waitFor();
  await page.leave();
});

test("an error is resolved in a release and snoozed until more users, and Undo restores the resolution", async () => {
  const errors = await openErrors();
  await errors.send("Sleepy", { release: "4.12.0" });
  const page = await errors.openPageOf("Sleepy");
  await page.getByRole("button", { name: "Fixed in" }).click();
  await page.getByRole("menuitem", { name: "A release…" }).click();
  const dialog = page.getByRole("dialog", { name: "Resolve Sleepy in a release" });
  await dialog.getByRole("list", { name: "Known releases" }).getByText("4.12.0").waitFor();
  await dialog.getByRole("textbox", { name: "Release" }).fill("4.13.0");
  await page.checkAccessibility();
  await page.keyboard.press("Enter");
  await page.getByText(/^Resolved in 4\.13\.0 by Ada Moss/).waitFor();
  await eventually(async () => (await errors.group("Sleepy")).resolved_in, {
    mode: "release",
    release: "4.13.0",
  });

  await page.keyboard.press("z");
  const snooze = page.getByRole("dialog", { name: "Snooze Sleepy" });
  await snooze.getByLabel("Date", { exact: true }).fill("");
  await snooze.getByRole("textbox", { name: "More users" }).fill("5");
  await page.checkAccessibility();
  await page.keyboard.press("Enter");
  const undo = page.getByRole("group", { name: /^Sleepy ignored/ }).getByRole("button", { name: "Undo" });
  // A message stays while the pointer is on it.
  await undo.hover();
  await page.getByText("Ignored until 5 more users are affected.").waitFor();
  await eventually(async () => (await errors.group("Sleepy")).snoozed_until, { users: 5 });
  await undo.click();
  await page.getByText(/^Resolved in 4\.13\.0 by Ada Moss/).waitFor();
  await eventually(async () => (await errors.group("Sleepy")).status, 1);

  // On a narrow screen, everything but resolving is in a menu, and the bar stays in one line.
  await page.setViewportSize({ width: 390, height: 800 });
  await page.getByRole("button", { name: "Actions for Sleepy" }).click();
  await page.getByRole("menuitem", { name: "Reopen" }).click();
  await page.getByRole("button", { name: /^Resolve/ }).waitFor();
  await eventually(
    () =>
      page
        .locator("[data-header-row]")
        .first()
        .evaluate((row) => row.clientHeight <= 48),
    true,
  );
  await page.leave();
});

test("an error is linked to an issue and unlinked again, and a refusal names the issue it is linked to", async () => {
  const errors = await openErrors();
  await errors.send("Linkable");
  const { id } = await errors.group("Linkable");
  const issues = `/api/projects/${errors.project.id}/issues`;
  const wanted = (await site.api.post(issues, { title: "Fix the coupon" })).body;
  const other = (await site.api.post(issues, { title: "Oil the hinge" })).body;
  const page = await errors.openPageOf("Linkable");
  await page.getByRole("button", { name: "Link to issue…" }).click();
  await page.getByRole("option", { name: /Fix the coupon/ }).click();
  await page.getByRole("link", { name: `${wanted.key} Fix the coupon` }).waitFor();
  await eventually(async () => (await errors.group("Linkable")).linked_issue_id, wanted.id);
  await page.getByRole("button", { name: "Unlink the issue" }).click();
  await page.getByRole("button", { name: "Link to issue…" }).waitFor();
  await eventually(async () => (await errors.group("Linkable")).linked_issue_id, null);
  // Another user links it first, before this page receives the change.
  await page.route("**/link", async (route) => {
    await site.api.post(`/api/projects/${errors.project.id}/error-groups/${id}/link`, { issue: other.key });
    await route.continue();
  });
  await page.getByRole("button", { name: "Link to issue…" }).click();
  await page.getByRole("option", { name: /Fix the coupon/ }).click();
  await page.getByText(`The error is already linked to ${other.key} “Oil the hinge”.`).waitFor();
  await page.getByRole("link", { name: `${other.key} Oil the hinge` }).waitFor();
  await page.leave();
});
