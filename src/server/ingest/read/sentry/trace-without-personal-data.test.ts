import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { makeIngestKey, makeProject, makeWorkspace } from "../../../../../test/support/make.ts";
import { eventEnvelope } from "../../../../../test/support/sentry.ts";
import { frame, read, thrown } from "../../../../../test/support/sentry-events.ts";
import { useTestApp } from "../../../../../test/support/test-app.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);

const USER = { id: "customer-4711", email: "ada@example.com", username: "lovelace" };

const frames = [
  frame("run", "/srv/app/server.js"),
  frame("handle_lovelace", "/srv/tenants/customer-4711/rules.js"),
  frame("anonymous", "/home/ada@example.com/plugin.js"),
];
const trace = [
  "    at anonymous (/home/[removed: email]/plugin.js:3:7)",
  "    at handle_[removed: user] (/srv/tenants/[removed: user]/rules.js:3:7)",
  "    at run (/srv/app/server.js:3:7)",
].join("\n");

test("what a Sentry SDK says about the user, and what the rules remove, is removed from the trace", () => {
  assert.equal(read({ ...thrown(...frames), user: USER }).stack_trace, trace);
});

test("personal data is removed from the traces of causes, too", () => {
  const of = (type: string) => ({ type, value: "v", stacktrace: { frames } });
  const { previous_exceptions } = read({ exception: { values: [of("Cause"), of("E")] }, user: USER });
  assert.deepEqual(
    previous_exceptions.map(({ stack_trace }) => stack_trace),
    [trace],
  );
});

test("a rule of the project applies to the names of functions and files", () => {
  const rule = { name: "tenant", key_pattern: null, value_pattern: "tenants/[a-z-]+\\d+" };
  const { stack_trace } = read(thrown(frames[1] ?? {}), { privacyRules: JSON.stringify([rule]) });
  assert.equal(stack_trace, "    at handle_lovelace (/srv/[removed: tenant]/rules.js:3:7)");
});

test("a user whose id is a line number leaves lines and columns as they are", () => {
  const sent = thrown(frame("run", "/srv/1234/app.js", { lineno: 1234, colno: 5678 }));
  const { stack_trace } = read({ ...sent, user: { id: "1234", username: "5678" } });
  assert.equal(stack_trace, "    at run (/srv/[removed: user]/app.js:1234:5678)");
});

test("removing personal data from a trace does not change the group", () => {
  const sent = thrown(...frames);
  assert.deepEqual(read({ ...sent, user: USER }).fingerprint, read(sent).fingerprint);
});

test("if the same event arrives from several users, no table contains their data", async () => {
  const { id } = await makeProject(t.db, workspace.id);
  const url = `/api/${id}/envelope/?sentry_key=${await makeIngestKey(t.db, id)}`;
  for (const user of [USER, { id: "someone else" }, USER, USER]) {
    const payload = eventEnvelope({ ...thrown(...frames), user });
    assert.equal((await t.http.send({ method: "POST", url, payload })).status, 200);
  }
  const { rows: tables } = await sql<{ name: string }>`
    select quote_ident(relname) as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`.execute(
    t.db,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const { rows } = await sql`select from ${sql.raw(name)} t where t::text ~ 'ada@example.com'`.execute(
      t.db,
    );
    if (rows.length > 0) found.push(name);
  }
  assert.deepEqual(found, []);
  const { rows: left } = await sql<{ stack_trace: string }>`
    select stack_trace from kept_events where group_id in (select id from error_groups where project_id = ${id})
      and pseudonym <> (select min(pseudonym) from kept_events where stack_trace ~ 'handle_lovelace')`.execute(
    t.db,
  );
  assert.deepEqual(
    left.map(({ stack_trace }) => stack_trace),
    [trace, trace, trace],
  );
});
