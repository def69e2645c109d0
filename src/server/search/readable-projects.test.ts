import assert from "node:assert/strict";
import { test } from "node:test";
import type { Client } from "../../../test/support/client.ts";
import {
  makeCookie,
  makeMember,
  makePersonalToken,
  makeProjectToken,
  makeUser,
  makeWorkspace,
  makeWorkspaceMember,
  type TestUser,
} from "../../../test/support/make.ts";
import { found, hits, openSearched, type Filled } from "../../../test/support/search.ts";
import { useTestApp } from "../../../test/support/test-app.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);
const board = await openSearched(t, workspace);
const made = await board.fill("wagtail");
await board.admin.patch(board.url, { description: "wagtail" });

const person = async (user: TestUser) => t.http.as(await makePersonalToken(t.db, user.id));
const withPermissions = async (...permissions: string[]) =>
  person(await makeMember(t.db, board.id, { role: { permissions } }));
const hitsOf = (...kinds: (keyof Filled | "project")[]) =>
  kinds.map((kind) => [
    kind.endsWith("_comment") ? "comment" : kind,
    kind === "project" ? board.id : made[kind],
  ]);
const ALL = () =>
  hitsOf("issue_comment", "epic_comment", "epic", "error_group", "issue", "project", "report");

test("an administrator finds everything, by token and by cookie", async () => {
  assert.deepEqual(await found(board.admin, "wagtail"), ALL());
  const cookie = await makeCookie(t.db, workspace.admin.id);
  assert.deepEqual(await found(t.http.withCookie(cookie), "wagtail"), ALL());
});

test("each permission shows only its own kind; the project is shown to everyone with access", async () => {
  for (const [permission, kinds] of [
    ["issues:read", ["issue_comment", "issue", "project"]],
    ["epics:read", ["epic_comment", "epic", "project"]],
    ["reports:read", ["project", "report"]],
    ["error-groups:read", ["error_group", "project"]],
    ["comments:create", ["project"]],
    ["issues:update", ["project"]],
  ] as const)
    assert.deepEqual(await found(await withPermissions(permission), "wagtail"), hitsOf(...kinds), permission);
});

test("keys, class names and projects are as protected as texts", async () => {
  const stranger = await person((await makeWorkspace(t.db)).admin);
  const nobody = await person(await makeUser(t.db));
  const colleague = await person(await makeWorkspaceMember(t.db, workspace.id));
  const issue = await board.read(made.issue);
  const epicReader = await withPermissions("epics:read");
  for (const query of [
    "wagtail",
    issue.key,
    String(issue.key.split("-")[1]),
    board.key,
    "FourExc",
    "FuorException",
  ])
    for (const http of [stranger, nobody, colleague]) {
      assert.deepEqual(await found(http, query), [], query);
      assert.deepEqual(await found(http, query, `&project_id=${board.id}`), [], query);
    }
  // The project itself may be found: its key contains the first part of the issue's key, and perhaps its number.
  const kinds = (await found(epicReader, issue.key)).map(([kind]) => kind);
  assert.ok(!kinds.includes("issue"), kinds.join());
  assert.deepEqual(await found(epicReader, "FourExc"), []);
});

test("permissions in one project do not show content of another", async () => {
  const other = await openSearched(t, workspace);
  const there = await other.fill("wagtail");
  const user = await makeMember(t.db, other.id, { role: { permissions: ["reports:read"] } });
  await makeMember(t.db, board.id, { user, role: { permissions: ["epics:read"] } });
  const http = await person(user);
  assert.deepEqual(await found(http, "wagtail"), [
    ...hitsOf("epic_comment", "epic", "project"),
    ["report", there.report],
  ]);
  assert.deepEqual(await found(http, "wagtail", `&project_id=${other.id}`), [["report", there.report]]);
  await other.admin.delete(other.url);
  assert.deepEqual(await found(board.admin, "wagtail"), ALL());
});

test("a user who lost membership finds nothing", async () => {
  const user = await makeMember(t.db, board.id);
  const http = await person(user);
  assert.deepEqual(await found(http, "wagtail"), ALL());
  assert.equal((await board.admin.delete(`${board.url}/members/${user.id}`)).status, 204);
  assert.deepEqual(await found(http, "wagtail"), []);
});

test("a feature that is off hides its kind in that workspace only", async () => {
  const admin = workspace.admin;
  const off = await makeWorkspace(t.db, { admin });
  const hidden = await openSearched(t, off);
  const there = await hidden.fill("redshank");
  const kinds = async (features: object) => {
    assert.equal((await hidden.admin.patch(`/api/workspaces/${off.id}`, { features })).status, 200);
    return found(hidden.admin, "redshank", "&kind=report,error_group");
  };
  assert.deepEqual(await kinds({ reports: false }), [["error_group", there.error_group]]);
  assert.deepEqual(await kinds({ error_tracking: false }), []);
  assert.deepEqual(await found(hidden.admin, "FourExc", `&project_id=${hidden.id}`), []);
  assert.deepEqual(await found(hidden.admin, "wagtail"), ALL());
});

test("a comment on an error or a report is found by those who may read what it is on, while its feature is on", async () => {
  const { admin } = workspace;
  const other = await makeWorkspace(t.db, { admin });
  const there = await openSearched(t, other);
  const error = await there.group("ClassOfError");
  const report = (await there.created("/reports", { title: "Title", description: "Text" })).id;
  const write = (on: string) => there.created(`/${on}/comments`, { content: "A dunlin" });
  const [onError, onReport] = [await write(`error-groups/${error}`), await write(`reports/${report}`)];
  const ofError = [onError.id, "ClassOfError", error, null];
  const ofReport = [onReport.id, "Title", null, report];
  const comments = async (http: Client) =>
    (await hits(http, "dunlin")).map(({ id, title, error_group_id, report_id }) => [
      id,
      title,
      error_group_id,
      report_id,
    ]);
  const holding = async (permission: string) =>
    person(await makeMember(t.db, there.id, { role: { permissions: [permission] } }));
  assert.deepEqual(await comments(there.admin), [ofReport, ofError]);
  assert.deepEqual(await comments(await holding("error-groups:read")), [ofError]);
  assert.deepEqual(await comments(await holding("reports:read")), [ofReport]);
  assert.deepEqual(await comments(await holding("issues:read")), []);
  const turnOff = (features: object) => there.admin.patch(`/api/workspaces/${other.id}`, { features });
  await turnOff({ reports: false });
  assert.deepEqual(await comments(there.admin), [ofError]);
  await turnOff({ error_tracking: false });
  assert.deepEqual(await comments(there.admin), []);
});

test("a project token finds reports and error groups of its project, within its creator's permissions", async () => {
  const other = await openSearched(t, workspace);
  await other.fill("wagtail");
  const token = async (user: TestUser, options = {}) =>
    t.http.as(await makeProjectToken(t.db, board.id, user.id, options));
  for (const access of ["read", "read_write"])
    assert.deepEqual(
      await found(await token(workspace.admin, { access }), "wagtail"),
      hitsOf("error_group", "report"),
    );
  const reporter = await makeMember(t.db, board.id, { role: "Reporter" });
  assert.deepEqual(await found(await token(reporter), "wagtail"), hitsOf("report"));
  assert.deepEqual(await found(await token(await makeUser(t.db)), "wagtail"), []);
  assert.deepEqual(await found(await token(workspace.admin, { active: false }), "wagtail"), []);
  const http = await token(workspace.admin);
  assert.deepEqual(await found(http, "wagtail", `&project_id=${other.id}`), []);
  assert.deepEqual(await found(http, "wagtail", "&kind=issue,epic,comment,project"), []);
  await other.admin.delete(other.url);
});

test("without a credential every query is 401", async () => {
  for (const query of ["", "?query=wagtail", "?limit=0"])
    assert.equal((await t.http.get(`/api/search${query}`)).status, 401);
});
