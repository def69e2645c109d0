import assert from "node:assert/strict";
import { test } from "node:test";
import { CATALOG, type CommandId } from "../../src/web/keys/catalog.ts";
import { eventually } from "../support/eventually.ts";
import type { TestUser } from "../support/make.ts";
import { openErrorList } from "./error-list.ts";
import { hold } from "./hold.ts";
import { openBox, rows as inboxRows } from "./inbox-page.ts";
import { trackLoading } from "./loading.ts";
import { openReportQueue } from "./report-queue.ts";
import type { TestPage } from "./test-page.ts";
import { useTestSite } from "./test-site.ts";

/* Holds the keys of the catalog on the screens that they change, and counts the requests that change something. */

const site = await useTestSite({ LIMIT_API: "100000" });

const errors = await openErrorList(site);
for (const name of ["Aaa", "Bbb", "Ccc"]) await errors.send(name);
const single = await openErrorList(site);
await single.send("Ddd");
const queue = await openReportQueue(site, "First", "Second", "Third");
const dismissed = await openReportQueue(site, "Fourth", "Fifth");
for (const { id } of dismissed.reports)
  await dismissed.client.post(`${dismissed.path}/${id}/dismiss`, { category: "invalid" });
for (const title of ["Alpha", "Beta", "Gamma"]) await site.create("/issues", { title });
const sprint = await site.create("/sprints", { name: "Week 12" });
await site.create("/epics", { title: "Checkout", starts_on: "2026-12-01", ends_on: "2026-12-31" });
const box = await openBox(site, "One", "Two");
await box.put("3 new errors in Web shop", { type: 10 });

type Screen = {
  path: string;
  /** Default: the owner. */
  as?: TestUser;
  /** Puts the focus where the keys act. Default: J, which goes to the next row. */
  focus?: (page: TestPage) => Promise<void>;
  /** How many requests that change something each held key sends, in this order. */
  sent: [CommandId | `alt+${string}`, 0 | 1][];
};

const SCREENS: Record<string, Screen> = {
  "list of errors": {
    path: `${errors.url}?tab=all`,
    sent: [
      ["assignMe", 1],
      ["assign", 0],
      ["snooze", 0],
      ["promote", 0],
      ["resolve", 1],
      ["reopen", 1],
      ["dismiss", 1],
      ["undo", 1],
    ],
  },
  error: {
    path: `${single.url}/${(await single.group("Ddd")).id}`,
    focus: (page) => page.getByRole("button", { name: /^Assignee/ }).waitFor(),
    sent: [
      ["assignMe", 1],
      ["assign", 0],
      ["snooze", 0],
      ["promote", 0],
      ["dismiss", 1],
      ["reopen", 1],
      ["resolve", 1],
      ["undo", 1],
    ],
  },
  queue: {
    path: `/projects/${queue.key}/triage`,
    as: queue.user,
    sent: [
      ["moveDown", 1],
      ["moveUp", 1],
      ["select", 0],
      ["close", 0],
      ["remove", 0],
      ["newReport", 0],
    ],
  },
  "list of dismissed reports": {
    path: `/projects/${dismissed.key}/triage?view=dismissed`,
    as: dismissed.user,
    sent: [
      ["remove", 0],
      ["reopen", 1],
    ],
  },
  inbox: {
    path: "/notifications?filter=all",
    as: box.user,
    focus: (page) => inboxRows(page).first().getByRole("link").focus(),
    sent: [
      ["resolve", 1],
      ["reopen", 1],
      ["snooze", 0],
      ["stopWatching", 1],
      ["undo", 1],
    ],
  },
  "list of issues": {
    path: "/projects/WEB/issues",
    sent: [
      ["lane", 0],
      ["priority", 0],
      ["assign", 0],
      ["label", 0],
      ["newIssue", 0],
      ["assignMe", 1],
      ["undo", 1],
    ],
  },
  issue: {
    path: "/projects/WEB/issues/WEB-1",
    focus: async () => {},
    sent: [
      ["lane", 0],
      ["priority", 0],
      ["assign", 0],
      ["label", 0],
      ["assignMe", 1],
      ["undo", 1],
    ],
  },
  board: {
    path: "/projects/WEB/board",
    sent: [
      ["moveDown", 1],
      ["moveUp", 1],
      ["lane", 0],
      ["label", 0],
      ["assignMe", 1],
      ["undo", 1],
    ],
  },
  "settings of lanes": {
    path: "/projects/WEB/settings?section=lanes",
    focus: (page) => page.locator("[data-lift-id]").first().focus(),
    sent: [["moveDown", 1]],
  },
  "timeline of epics": {
    path: "/projects/WEB/epics?view=timeline",
    focus: (page) => page.getByRole("listitem").getByRole("link", { name: "Checkout" }).focus(),
    sent: [["alt+ArrowRight", 1]],
  },
  plan: {
    path: `/projects/WEB/sprints/${sprint.id}/plan`,
    sent: [["select", 0]],
  },
};

for (const [name, screen] of Object.entries(SCREENS))
  test(`a held key changes the ${name} once`, async () => {
    const page = await site.open("/assets/none.txt", { as: screen.as ?? site.owner });
    const loading = trackLoading(page);
    await page.goto(screen.path);
    let changes = 0;
    page.on("request", (request) => {
      if (request.method() !== "GET" && !request.url().endsWith("/visit")) changes++;
    });
    await page.getByRole("heading", { level: 1 }).first().waitFor();
    await loading.done();
    for (const [id, count] of screen.sent) {
      await (screen.focus ? screen.focus(page) : page.keyboard.press("j"));
      changes = 0;
      await hold(page, strokeOf(id in CATALOG ? CATALOG[id as CommandId].keys : id));
      // Marks of the inbox are sent together, a moment later.
      await eventually(() => changes >= count, true, id);
      await loading.done();
      assert.equal(changes, count, id);
      assert.doesNotMatch(
        await page.evaluate(typedText),
        /(.)\1\1/,
        `${id} writes into the field that it opens`,
      );
      if (count === 0) {
        await page.keyboard.press("Escape");
        await page.getByRole("dialog").or(page.getByRole("alertdialog")).waitFor({ state: "detached" });
      }
    }
    await page.leave();
  });

/** In Playwright's words. */
const strokeOf = (keys: string) =>
  keys.replace("mod+", "Control+").replace("shift+", "Shift+").replace("alt+", "Alt+");

/** Runs in the page: the text of the focused field. */
const typedText = () =>
  document.activeElement instanceof HTMLInputElement || document.activeElement instanceof HTMLTextAreaElement
    ? document.activeElement.value
    : "";
