import assert from "node:assert/strict";
import { test } from "node:test";
import type { Project } from "../../shared/projects.ts";
import type { SearchHit } from "../../shared/search.ts";
import { commandEntries, hitEntries, jumpEntries, projectEntries, withoutJump } from "./palette-entries.ts";
import { stateOf } from "./hit-state.ts";
import { addressOf } from "../data/search.ts";
import { recentItemEntries, recentProjectEntries } from "./recent-items.ts";

const projects = [
  { id: 1, key: "WEB", name: "Web shop" },
  { id: 2, key: "WE", name: "Weather" },
] as Project[];

const hit = (overrides: Partial<SearchHit>): SearchHit => ({
  kind: "issue",
  id: 7,
  key: null,
  title: "Cart",
  excerpt: "",
  project_id: 1,
  issue_id: null,
  error_group_id: null,
  report_id: null,
  epic_id: null,
  lane_kind: null,
  state: null,
  view: null,
  status: null,
  at: "2026-11-20T09:14:07.482913Z",
  ...overrides,
});

test("an issue key in any case opens the issue, if its project is accessible", () => {
  assert.equal(jumpEntries(" web-12 ", projects)[0]?.href, "/projects/WEB/issues/WEB-12");
  assert.deepEqual(jumpEntries("NOPE-12", projects), []);
  assert.deepEqual(jumpEntries("web-", projects), []);
  assert.deepEqual(jumpEntries("web-0", projects), []);
});

test("the issue to jump to has its title once it is found, and is listed only once", () => {
  const found = hitEntries(
    [hit({ key: "WEB-12", title: "Pay later" }), hit({ key: "WEB-123" })],
    projects,
    "web-12",
  );
  const entries = withoutJump(jumpEntries("web-12", projects), found);
  assert.deepEqual(
    entries.jump.map(({ id, prefix, label, detail }) => [id, prefix, label, detail]),
    [["jump", "WEB-12", "Pay later", "Web shop"]],
  );
  assert.deepEqual(
    entries.found.map(({ prefix }) => prefix),
    ["WEB-123", undefined],
  );
  assert.equal(withoutJump(jumpEntries("web-12", projects), []).jump[0]?.label, "WEB-12");
});

test("a command matches its words in any order", () => {
  const run = () => {};
  const commands = [
    { id: "resolve", label: "Resolve TimeoutError", keys: "e", group: "Work", run },
    { id: "next", label: "Next", keys: "j", group: "Lists", run },
  ];
  assert.deepEqual(
    commandEntries(commands, "timeout res").map(({ label }) => label),
    ["Resolve TimeoutError"],
  );
  assert.deepEqual(commandEntries(commands, "next"), []);
});

test("without text, new issue comes first and the others follow in the order of the catalog", () => {
  const run = () => {};
  const ids = ["all-errors", "goSettings", "goInbox", "help", "newIssue", "goHome"];
  const commands = ids.map((id) => ({
    id,
    label: id,
    keys: undefined,
    group: id.startsWith("go") ? "Go to" : "Anywhere",
    run,
  }));
  assert.deepEqual(
    commandEntries(commands, "").map(({ label }) => label),
    ["newIssue", "help", "all-errors", "goHome", "goInbox", "goSettings"],
  );
});

test("commands are found by synonyms, which rank below words of the label", () => {
  const run = () => {};
  const commands = [
    { id: "newIssue", label: "New issue", keys: "c", group: "Anywhere", run },
    { id: "goErrors", label: "Go to errors", keys: "g e", group: "Go to", run },
    { id: "goList", label: "Go to the issue list", keys: "g l", group: "Go to", run },
    { id: "theme-dark", label: "Use the dark theme", keys: undefined, group: "Theme", run },
    { id: "workspace-3", label: "Workspace settings", keys: undefined, group: "Account", run },
    { id: "sign-out", label: "Sign out", keys: undefined, group: "Account", run },
  ];
  const found = (text: string) => commandEntries(commands, text).map(({ label }) => label);
  assert.deepEqual(found("dark"), ["Use the dark theme"]);
  assert.deepEqual(found("log out"), ["Sign out"]);
  assert.deepEqual(found("bug"), ["New issue"]);
  assert.deepEqual(found("exceptions"), ["Go to errors"]);
  assert.deepEqual(found("issue"), ["New issue", "Go to the issue list"]);
  assert.deepEqual(found("go to the"), ["Go to the issue list"]);
  assert.deepEqual(found("go"), ["Go to errors", "Go to the issue list"]);
  assert.deepEqual(found("night"), ["Use the dark theme"]);
  assert.deepEqual(found("members"), ["Workspace settings"]);
});

test("projects match by name and key", () => {
  assert.deepEqual(
    projectEntries(projects, "we").map(({ href }) => href),
    ["/projects/WEB", "/projects/WE"],
  );
  assert.deepEqual(projectEntries(projects, ""), []);
});

test("errors are named by their message, and delete commands come last on a page", () => {
  const [error] = hitEntries(
    [hit({ kind: "error_group", title: "TimeoutError", excerpt: "Took too long" })],
    projects,
    "time",
  );
  assert.deepEqual([error?.label, error?.detail], ["Took too long", "TimeoutError"]);
  const run = () => {};
  const here = ["delete-issue", "copy-issue-key"].map((id) => ({
    id,
    label: id,
    keys: undefined,
    group: "Here",
    run,
  }));
  assert.deepEqual(
    commandEntries(here, "").map(({ label }) => label),
    ["copy-issue-key", "delete-issue"],
  );
});

test("each kind of result links to its page, and a comment to its anchor", () => {
  assert.equal(addressOf(hit({ key: "WEB-7" }), "WEB"), "/projects/WEB/issues/WEB-7");
  assert.equal(addressOf(hit({ kind: "report" }), "WEB"), "/projects/WEB/reports/7");
  assert.equal(addressOf(hit({ kind: "error_group" }), "WEB"), "/projects/WEB/errors/7");
  assert.equal(
    addressOf(hit({ kind: "comment", key: "WEB-3", issue_id: 30 }), "WEB"),
    "/projects/WEB/issues/WEB-3#comment-7",
  );
  assert.equal(addressOf(hit({ kind: "comment", epic_id: 4 }), "WEB"), "/projects/WEB/epics/4#comment-7");
});

test("results of unknown projects are left out, and the last entry opens all results", () => {
  const entries = hitEntries([hit({ project_id: 99 }), hit({})], projects, "cart & co");
  assert.deepEqual(
    entries.map(({ href }) => href),
    ["/projects/WEB/issues/7", "/search?query=cart+%26+co"],
  );
});

test("a result shows its state; open is shown only for errors", () => {
  assert.equal(stateOf(hit({ kind: "error_group", status: 0 })), "Open");
  assert.equal(stateOf(hit({ kind: "error_group", status: 2 })), "Ignored");
  assert.equal(stateOf(hit({ lane_kind: "done" })), "Done");
  assert.equal(stateOf(hit({ lane_kind: "todo" })), "");
  assert.equal(stateOf(hit({ kind: "report", view: "dismissed" })), "Dismissed");
});

test("recent items are listed once, in their order, without those that are not readable", () => {
  const items = [
    {
      path: "/projects/WEB/errors/3",
      page: "errors",
      thing: { id: 3, exception_class: "TimeoutError", latest_message: "Took too long" },
    },
    { path: "/projects/WEB/epics/4", page: "epics", thing: undefined },
    { path: "/projects/WEB/issues/WEB-7", page: "issues", thing: { id: 7, key: "WEB-7", title: "Cart" } },
    { path: "/projects/WEB/issues/7", page: "issues", thing: { id: 7, key: "WEB-7", title: "Cart" } },
  ];
  assert.deepEqual(
    recentItemEntries(items).map(({ href, label }) => [href, label]),
    [
      ["/projects/WEB/errors/3", "Took too long"],
      ["/projects/WEB/issues/WEB-7", "Cart"],
    ],
  );
});

test("recent projects leave out the current one and missing ones", () => {
  assert.deepEqual(
    recentProjectEntries(["GONE", "WE", "WEB"], projects, "WEB").map(({ href }) => href),
    ["/projects/WE"],
  );
});

test("commands of every page come after those of the current page", () => {
  const run = () => {};
  const bound = (id: string, label: string) => ({ id, label, keys: undefined, group: "Here", run });
  assert.deepEqual(
    commandEntries([bound("profile", "Open your profile"), bound("new-epic", "New epic")], "").map(
      ({ label, group }) => [label, group],
    ),
    [
      ["New epic", "Here"],
      ["Open your profile", "Anywhere"],
    ],
  );
});
