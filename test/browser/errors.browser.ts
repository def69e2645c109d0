import { test } from "node:test";
import { makeMember } from "../support/make.ts";
import { eventually } from "../support/eventually.ts";
import { pickFilter } from "./pick-filter.ts";
import { focusOn } from "./focus.ts";
import type { TestPage } from "./test-page.ts";
import { useTestSite } from "./test-site.ts";
import { openErrorList, rowLink } from "./error-list.ts";

const site = await useTestSite({ LIMIT_INGEST: "100000", LIMIT_API: "100000" });
const openErrors = () => openErrorList(site);

const tab = (page: TestPage, name: RegExp) =>
  page.getByRole("navigation", { name: "Status" }).getByRole("link", { name });
const verbs = (page: TestPage) => page.getByRole("toolbar", { name: "Actions for selected items" });

test("a selection is resolved, ignored and reopened with the mouse; Shift selects a range", async () => {
  const errors = await openErrors();
  for (const name of ["Alpha", "Beta", "Gamma", "Delta"]) await errors.send(name);
  const page = await site.open(errors.url);
  await page.getByRole("checkbox", { name: "Select Delta" }).click();
  await page.getByRole("checkbox", { name: "Select Beta" }).click({ modifiers: ["Shift"] });
  await page.getByText("3 errors selected").waitFor();
  await verbs(page).getByRole("button", { name: "Resolve" }).click();
  await page.getByText("3 resolved").waitFor();
  await rowLink(page, "Beta").waitFor({ state: "detached" });
  await eventually(async () => (await errors.group("Gamma")).status, 1);

  await tab(page, /^Resolved/).click();
  await page.waitForURL(/\?tab=resolved$/);
  await page.getByRole("checkbox", { name: "Select all 3" }).click();
  await verbs(page).getByRole("button", { name: "Ignore" }).click();
  await page.getByText("No resolved errors").waitFor();
  await tab(page, /^Ignored/).click();
  await page.getByRole("checkbox", { name: "Select all 3" }).click();
  await verbs(page).getByRole("button", { name: "Reopen" }).click();
  await page.getByText("3 reopened").waitFor();
  await tab(page, /^Open\s*4/).click();
  await rowLink(page, "Beta").waitFor();
  await page.leave();
});

test("selected errors are merged, the old address leads to the target, and a fingerprint is split off again", async () => {
  const errors = await openErrors();
  for (const name of ["MergeA", "MergeB", "MergeB"]) await errors.send(name);
  const [a, b] = [await errors.group("MergeA"), await errors.group("MergeB")];
  const page = await site.open(errors.url);
  await page.getByRole("checkbox", { name: "Select all 2" }).click();
  await verbs(page).getByRole("button", { name: "Merge…" }).click();
  const dialog = page.getByRole("alertdialog", { name: "Merge 2 errors?" });
  await dialog.getByRole("radio", { name: `MergeA #${a.id}` }).check();
  await page.checkAccessibility();
  await dialog.getByRole("button", { name: "Merge" }).click();
  await rowLink(page, "MergeB").waitFor({ state: "detached" });
  await eventually(async () => (await errors.group("MergeA")).occurrence_count, 3);

  await page.goto(`${errors.url}/${b.id}?show=grouping`);
  await page.waitForURL(new RegExp(`/errors/${a.id}\\?show=grouping$`));
  const lines = page.getByRole("list", { name: "Lines that count" });
  await lines.getByText("/var/www/").waitFor();
  await page.checkAccessibility();
  await page.getByRole("button", { name: "Split off MergeB" }).click();
  await page
    .getByRole("alertdialog", { name: "Split off MergeB?" })
    .getByRole("button", { name: "Split off" })
    .click();
  await page.getByRole("list", { name: "Merged errors" }).waitFor({ state: "detached" });
  await errors.send("MergeB");
  await eventually(async () => (await errors.group("MergeB")).occurrence_count, 1);
  await page.leave();
});

test("errors that the user may not change are put back, with a message", async () => {
  const mine = await openErrors();
  const foreign = await openErrors();
  await mine.send("MineError");
  await foreign.send("ForeignError");
  const user = await makeMember(site.t.db, mine.project.id, { role: "Member" });
  await makeMember(site.t.db, foreign.project.id, { user, role: "Viewer" });
  const page = await site.open("/errors", { as: user });
  await rowLink(page, "ForeignError").waitFor();
  await page.getByRole("checkbox", { name: "Select all 2" }).click();
  await verbs(page).getByRole("button", { name: "Resolve" }).click();
  await page.getByText("1 resolved · 1 not permitted").waitFor();
  await rowLink(page, "MineError").waitFor({ state: "detached" });
  await rowLink(page, "ForeignError").waitFor();
  await eventually(async () => (await foreign.group("ForeignError")).status, 0);
  await page.leave();
});

test("three errors are triaged in the list with the keyboard only", async () => {
  const errors = await openErrors();
  for (const name of ["Third", "Second", "First"]) await errors.send(name);
  const page = await site.open(errors.url);
  await rowLink(page, "First").waitFor();
  await page.keyboard.press("j");
  await page.waitForFunction(() => document.activeElement?.textContent === "First");
  await page.keyboard.press("e");
  await page.waitForFunction(() => document.activeElement?.textContent === "Second");
  await page.keyboard.press("h");
  await page.waitForFunction(() => document.activeElement?.textContent === "Third");
  await page.keyboard.press("Shift+p");
  await page.getByRole("dialog", { name: "Promote Third to an issue" }).waitFor();
  await page.keyboard.press("Control+Enter");
  await page.getByText(`${errors.project.key}-1 created`).waitFor();
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  await page.keyboard.press("x");
  await page.getByText("1 error selected").waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press(" ");
  await page.getByRole("region", { name: "Preview" }).getByRole("heading", { name: "Third" }).waitFor();
  await page.waitForURL(/peek=\d+/);
  await page.keyboard.press("Escape");
  await page.getByRole("region", { name: "Preview" }).waitFor({ state: "detached" });
  await eventually(
    () => Promise.all(["First", "Second", "Third"].map(async (name) => (await errors.group(name)).status)),
    [1, 2, 0],
  );
  await eventually(async () => (await errors.group("Third")).linked_issue_id !== null, true);
  await page.leave();
});

test("tab, search, environment, release and order are kept in the URL, and opening it restores them", async () => {
  const errors = await openErrors();
  await errors.send("Wanted", { environment: "staging", release: "2.1.0", message: "needle in the hay" });
  await errors.send("Unwanted", { environment: "production", release: "2.0.0" });
  // Wide enough for all filters: the others are in a menu.
  const page = await site.open(errors.url, { width: 1800 });
  await rowLink(page, "Unwanted").waitFor();
  await page.getByRole("searchbox", { name: "Search errors" }).fill("needle");
  await page.waitForURL(/query=needle/);
  await rowLink(page, "Unwanted").waitFor({ state: "detached" });
  await pickFilter(page, "Environment", "staging");
  await pickFilter(page, "Release", "2.1.0");
  await page.getByRole("button", { name: /^Sort by/ }).click();
  await page.getByRole("menuitemradio", { name: "Events", exact: true }).click();
  await page.waitForURL(/sort=events/);
  const link = page.url();
  await page.leave();

  const other = await site.open(`${link.replace(site.url, "")}&regressed=false`, { width: 1800 });
  await rowLink(other, "Wanted").waitFor();
  await other.getByRole("button", { name: /Not regressed/ }).waitFor();
  await eventually(() => rowLink(other, "Unwanted").count(), 0);
  await tab(other, /^Regressed/).click();
  await other.getByText("No matching errors").waitFor();
  await other.getByRole("button", { name: "Clear filters" }).click();
  await other.getByText("No regressed errors").waitFor();
  await eventually(() => other.getByRole("searchbox", { name: "Search errors" }).inputValue(), "");
  await other.leave();
});

test("new errors are not inserted until the user asks for them", async () => {
  const errors = await openErrors();
  await errors.send("Settled");
  const page = await site.open(errors.url);
  await rowLink(page, "Settled").waitFor();
  // The live stream is open once a first change has arrived.
  await errors.send("Settled");
  await page.getByText("2 events").first().waitFor({ state: "attached" });
  await errors.send("Arrived");
  const more = page.getByRole("button", { name: "1 new" });
  await more.waitFor();
  await eventually(() => rowLink(page, "Arrived").count(), 0);
  await more.click();
  await rowLink(page, "Arrived").waitFor();
  await eventually(() => more.count(), 0);
  await page.leave();
});

test("an action that keeps its row does not move the focus later", async () => {
  const errors = await openErrors();
  for (const name of ["HueError", "TeaError"]) await errors.send(name);
  const page = await site.open(`${errors.url}?tab=all`);
  await rowLink(page, "TeaError").waitFor();
  await page.keyboard.press("j");
  await focusOn(page, "link", "TeaError");
  await page.keyboard.press("e");
  await page.getByText("TeaError resolved").waitFor();
  const search = page.getByRole("searchbox", { name: "Search errors" });
  await search.focus();
  await page.keyboard.type("Hue");
  await rowLink(page, "TeaError").waitFor({ state: "detached" });
  await focusOn(page, "searchbox", "Search errors");
  await page.keyboard.type("Error");
  await page.waitForURL(/query=HueError$/);
  await eventually(() => search.inputValue(), "HueError");
  await eventually(async () => (await errors.group("HueError")).status, 0);
  await page.leave();
});

test("an action in the preview opens the next error, or closes the preview after the last", async () => {
  const errors = await openErrors();
  for (const name of ["Third", "Second", "First"]) await errors.send(name);
  const page = await site.open(errors.url);
  const heading = (name: string) =>
    page.getByRole("region", { name: "Preview" }).getByRole("heading", { name });
  await rowLink(page, "First").waitFor();
  await page.keyboard.press("j");
  await focusOn(page, "link", "First");
  await page.keyboard.press(" ");
  await heading("First").waitFor();
  await page.keyboard.press("e");
  await heading("Second").waitFor();
  await focusOn(page, "link", "Second");
  await page.waitForURL(new RegExp(`peek=${(await errors.group("Second")).id}$`));
  await page.getByRole("button", { name: "Actions for Second" }).click();
  await page.getByRole("menuitem", { name: "Ignore" }).click();
  await heading("Third").waitFor();
  await focusOn(page, "link", "Third");
  await page.keyboard.press("h");
  await page.getByText("No open errors").waitFor();
  await page.waitForURL(/errors$/);
  await page.leave();
});

test("each preview starts scrolled to its top", async () => {
  const errors = await openErrors();
  const message = "A long story.\n".repeat(80);
  for (const name of ["Later", "Former"]) await errors.send(name, { message });
  const { id } = await errors.group("Former");
  const page = await site.open(`${errors.url}?peek=${id}`);
  const preview = page.getByRole("region", { name: "Preview" });
  const top = () => preview.evaluate((element) => element.scrollTop);
  await preview
    .getByRole("heading", { name: "Stack trace" })
    .or(preview.getByText("Overview"))
    .first()
    .waitFor();
  await preview.hover();
  await page.mouse.wheel(0, 600);
  await page.waitForFunction(
    () => (document.querySelector("section[aria-label=Preview]")?.scrollTop ?? 0) > 100,
  );
  await page.keyboard.press("j");
  await preview.getByRole("heading", { name: "Later" }).waitFor();
  await preview.getByText("Overview").waitFor();
  await eventually(() => top(), 0);
  await page.leave();
});

test("a row that left the list comes back deselected", async () => {
  const errors = await openErrors();
  for (const name of ["HueError", "TeaError"]) await errors.send(name);
  const page = await site.open(errors.url);
  await page.getByRole("checkbox", { name: "Select TeaError" }).click();
  await page.getByText("1 error selected").waitFor();
  const search = page.getByRole("searchbox", { name: "Search errors" });
  await search.fill("Hue");
  await rowLink(page, "TeaError").waitFor({ state: "detached" });
  await search.fill("");
  await rowLink(page, "TeaError").waitFor();
  await eventually(() => page.getByRole("checkbox", { name: "Select TeaError" }).isChecked(), false);
  await page.leave();
});
