import assert from "node:assert/strict";
import { test } from "node:test";
import { listenTo, type EventStream } from "../support/event-stream.ts";
import { useTestApp } from "../support/test-app.ts";
import { leaks, marker, type MarkerKind } from "./markers.ts";
import { createPrincipals } from "./create-principals.ts";
import { accessesAnyProject, may, type Principal, type Scope } from "./principals.ts";
import { makeFixture } from "./fixture.ts";

/** Endpoints across projects (lists, search, inbox, live updates) return exactly what the caller may read. */

const t = await useTestApp({}, { live: { heartbeatMs: 200 } });
const fixture = await makeFixture(t);
const principals = await createPrincipals(t, fixture);
const base = await t.app.listen({ port: 0, host: "127.0.0.1" });

const SCOPES = ["A", "B", "C"] as const;

const people = () => principals.filter(({ kind }) => kind === "session" || kind === "personal");
const projectTokens = () => principals.filter(({ kind }) => kind === "project");

/** The scopes for which the predicate holds; for a project token, only its own project. */
const where = (who: Principal, is: (scope: Scope) => boolean) =>
  SCOPES.filter((scope) => is(scope) && (who.kind !== "project" || (who.active && who.project === scope)));

async function ids(who: Principal, url: string): Promise<number[]> {
  const answer = await who.client.get(url);
  assert.equal(answer.status, 200, `${who.name}: ${answer.text}`);
  return answer.body.data.map(({ id }: { id: number }) => id).sort((a: number, b: number) => a - b);
}

const idsOf = (scopes: Scope[], name: string) => scopes.map((scope) => Number(fixture[scope][name]));

test("the list of projects contains exactly those that the caller can access", async () => {
  for (const who of people()) {
    const scopes = where(who, (scope) => who.rights[scope] !== undefined);
    assert.deepEqual(await ids(who, "/api/projects"), idsOf(scopes, "projectId"), who.name);
  }
});

test("the list of all issues contains exactly those that the caller may read", async () => {
  for (const who of people()) {
    const scopes = where(who, (scope) => may(who, scope, "issues:read"));
    assert.deepEqual(await ids(who, "/api/issues"), idsOf(scopes, "issueId"), who.name);
  }
});

test("the list of all error groups contains exactly those that the caller may read", async () => {
  for (const who of [...people(), ...projectTokens()]) {
    if (who.kind === "project" && !accessesAnyProject(who)) {
      assert.equal((await who.client.get("/api/error-groups")).status, 403, who.name);
      continue;
    }
    const scopes = where(who, (scope) => may(who, scope, "error-groups:read"));
    assert.deepEqual(await ids(who, "/api/error-groups"), idsOf(scopes, "errorGroupId"), who.name);
  }
});

test("the boot response has the parts of a project only for callers with access, and its epics only for those who may read them", async () => {
  for (const who of people().filter(({ kind }) => kind === "session"))
    for (const scope of SCOPES) {
      const boot = await who.client.get(`/api/boot?project=${fixture[scope]["projectId"]}`);
      assert.equal(boot.status, 200, who.name);
      const { project } = boot.body;
      assert.equal(project !== null, who.rights[scope] !== undefined, `${who.name}: ${scope}`);
      if (project) assert.equal(project.epics !== null, may(who, scope, "epics:read"), who.name);
      assert.deepEqual(leaks(who, boot), [], who.name);
    }
});

test("the home page has numbers, reports and regressions only of projects in which the caller may read them", async () => {
  const reads = (who: Principal, scope: Scope, part: "reports" | "error-groups" | "issues") =>
    may(who, scope, `${part}:read`);
  for (const group of [fixture.A, fixture.B, fixture.C])
    await t.db
      .updateTable("error_groups")
      .set({ regressed_at: new Date().toISOString() })
      .where("id", "=", Number(group["errorGroupId"]))
      .execute();
  for (const who of people()) {
    const home = await who.client.get("/api/home");
    assert.equal(home.status, 200, who.name);
    assert.deepEqual(leaks(who, home), [], who.name);
    const { projects, waiting, regressions } = home.body;
    const idOf = (scope: Scope) => Number(fixture[scope]["projectId"]);
    const inProjects = (rows: { project_id: number }[]) =>
      [...new Set(rows.map((row) => row.project_id))].sort((a, b) => a - b);
    const allowed = where(who, (scope) => who.rights[scope] !== undefined);
    assert.deepEqual(inProjects(projects), allowed.map(idOf), who.name);
    for (const scope of allowed) {
      const numbers = projects.find((row: { project_id: number }) => row.project_id === idOf(scope));
      const counts = await who.client.get(`/api/projects/${idOf(scope)}/counts`);
      for (const [part, fields] of [
        ["reports", ["waiting_reports", "new_reports"]],
        ["error-groups", ["open_errors", "regressed_errors", "new_errors", "daily_counts"]],
        ["issues", ["open_issues", "new_issues"]],
      ] as const)
        for (const field of fields) {
          assert.equal(numbers[field] !== null, reads(who, scope, part), `${who.name}: ${scope} ${field}`);
          if (field in counts.body) assert.deepEqual(counts.body[field], numbers[field]);
        }
    }
    assert.deepEqual(
      inProjects(waiting),
      where(who, (scope) => reads(who, scope, "reports")).map(idOf),
      who.name,
    );
    const erroneous = where(who, (scope) => reads(who, scope, "error-groups"));
    assert.deepEqual(inProjects(regressions), erroneous.map(idOf), who.name);
  }
});

const SEARCHED = {
  project: "access",
  issue: "issues:read",
  epic: "epics:read",
  report: "reports:read",
  error: "error-groups:read",
} as const satisfies Partial<Record<MarkerKind, string>>;

test("search finds a text only for callers who may read it", async () => {
  for (const who of [...people(), ...projectTokens()])
    for (const [kind, need] of Object.entries(SEARCHED) as [keyof typeof SEARCHED, string][])
      for (const scope of SCOPES) {
        const isOfTokens = kind === "report" || kind === "error";
        const mayRead =
          (who.kind !== "project" || isOfTokens) &&
          where(who, (one) =>
            need === "access" ? who.rights[one] !== undefined : may(who, one, need as "issues:read"),
          ).includes(scope);
        const query = encodeURIComponent(marker(scope, kind));
        const { status, body } = await who.client.get(`/api/search?query=${query}&limit=50`);
        assert.equal(status, 200, who.name);
        const found = body.data.filter((hit: unknown) => JSON.stringify(hit).includes(marker(scope, kind)));
        assert.equal(found.length > 0, mayRead, `${who.name}: ${marker(scope, kind)}`);
      }
});

test("an inbox hides notifications of projects that the user has lost access to", async () => {
  const kept = await t.db
    .selectFrom("notifications")
    .select((of) => of.fn.countAll<number>().as("count"))
    .where("issue_id", "=", Number(fixture.A["issueId"]))
    .executeTakeFirstOrThrow();
  assert.ok(kept.count >= 3, "they were notified before they lost access");
  for (const who of people().filter(({ rights }) => Object.keys(rights).length === 0)) {
    const inbox = await who.client.get("/api/notifications");
    assert.deepEqual([inbox.status, inbox.body], [200, []], who.name);
    assert.deepEqual((await who.client.get("/api/notifications/unread-count")).body, { count: 0 }, who.name);
  }
});

test("live updates contain exactly what the caller may read", async () => {
  const streams = new Map<Principal, EventStream>();
  for (const who of people()) streams.set(who, await listenTo(base, who.headers));
  const made: Record<Scope, number> = { A: 0, B: 0, C: 0 };
  for (const scope of ["C", "B", "A"] as const) {
    const client = fixture.clients[scope];
    const p = `/api/projects/${fixture[scope]["projectId"]}`;
    await client.patch(p, { description: "Other" });
    await client.post(`${p}/reports`, { title: "New", description: "New" });
    await client.post(`${p}/error-groups/${fixture[scope]["errorGroupId"]}/ignore`);
    await client.patch(`${p}/epics/${fixture[scope]["epicId"]}`, { state: "done" });
    await client.post(`${p}/issues/${fixture[scope]["issueId"]}/comments`, { content: "New" });
    made[scope] = (await client.post(`${p}/issues`, { title: "New" })).body.id;
  }
  const isLast = ({ data }: { data: { kind?: string; id?: number } }) =>
    data.kind === "issue" && data.id === made.A;
  for (const [who, stream] of streams) if (may(who, "A", "issues:read")) await stream.waitFor(isLast);
  // After the next heartbeat, all earlier changes have arrived.
  for (const stream of streams.values()) {
    const length = stream.text().length;
    await stream.waitForText((text) => text.length > length);
  }
  for (const [who, stream] of streams) {
    for (const { data } of stream.events)
      assert.ok(mayReceive(who, data), `${who.name}: ${JSON.stringify(data)}`);
    const received = SCOPES.filter((scope) =>
      stream.events.some(({ data }) => data.kind === "issue" && data.id === made[scope]),
    );
    assert.deepEqual(
      received,
      where(who, (scope) => may(who, scope, "issues:read")),
      who.name,
    );
    stream.close();
  }
});

const KINDS: Record<string, string> = {
  project: "access",
  issue: "issues:read",
  epic: "epics:read",
  report: "reports:read",
  error_group: "error-groups:read",
  release: "error-groups:read",
};

function mayReceive(who: Principal, data: Record<string, unknown>): boolean {
  if (data["project_id"] === null || data["project_id"] === undefined) return true;
  const scope = SCOPES.find((one) => fixture[one]["projectId"] === data["project_id"]);
  if (scope === undefined || who.rights[scope] === undefined) return false;
  const need = KINDS[String(data["kind"])];
  return need === undefined || need === "access" || may(who, scope, need as "issues:read");
}
