import assert from "node:assert/strict";
import { copyFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { importFixture } from "../../../../../../test/support/answering-server.ts";
import { importHere } from "../../../../../../test/support/import.ts";
import {
  makeIngestKey,
  makePersonalToken,
  makeProject,
  makeWorkspace,
} from "../../../../../../test/support/make.ts";
import { useTestApp } from "../../../../../../test/support/test-app.ts";

const t = await useTestApp();
const { id: workspaceId, admin } = await makeWorkspace(t.db);
const http = t.http.as(await makePersonalToken(t.db, admin.id));
const folder = await mkdtemp(path.join(tmpdir(), "signalbox-bugsink-"));
after(() => rm(folder, { recursive: true }));

let files = 0;

/** A copy of the database whose issues were seen an hour ago, after a change of it. */
async function copyDatabase(change = ""): Promise<string> {
  const file = path.join(folder, `${files++}.sqlite3`);
  await copyFile(importFixture("bugsink/bugsink-2.6.2.sqlite3"), file);
  const seen = new Date(Date.now() - 3_600_000).toISOString().slice(0, 23).replace("T", " ");
  const database = new DatabaseSync(file, { enableForeignKeyConstraints: false });
  database.prepare("update issues_issue set last_seen = ?, first_seen = ?").run(seen, seen);
  database.exec(change);
  database.close();
  return file;
}

async function importDatabase(file: string, sourceProject?: string) {
  const project = await makeProject(t.db, workspaceId);
  const run = { project, authorId: admin.id, kind: "bugsink" as const, from: { path: file } };
  const outcome = await importHere(t, sourceProject === undefined ? run : { ...run, sourceProject });
  const url = `/api/projects/${project.id}/error-groups`;
  const groups = async () => {
    const details = [];
    for (const { id } of (await http.get(url)).body.data) details.push((await http.get(`${url}/${id}`)).body);
    return new Map(details.map((group) => [group.exception_class as string, group]));
  };
  return { project, outcome, groups, repeat: () => importHere(t, { ...run, sourceProject: "checkout" }) };
}

test("issues become error groups with state, counts and the trace of the latest event", async () => {
  const { outcome, groups } = await importDatabase(await copyDatabase(), "checkout");
  assert.deepEqual(outcome.leftOut, []);
  assert.equal(outcome.counts.error_groups, 4);
  const all = await groups();
  assert.deepEqual(
    ["PaymentError", "KeyError", "TimeoutError", "Message"].map((name) => {
      const group = all.get(name);
      return [group?.status, group?.occurrence_count, group?.environment, group?.level];
    }),
    [
      [0, 3, "production", "error"],
      [1, 2, "production", "error"],
      [2, 1, "production", "error"],
      [0, 1, "production", "warning"],
    ],
  );
  assert.match(all.get("PaymentError")?.latest_stack_trace, /^ {4}at place_order \(shop\.py:\d+\)/);
});

test("events that arrive later join the imported groups, also by a fingerprint of the program", async () => {
  const { project, groups } = await importDatabase(await copyDatabase(), "checkout");
  const key = await makeIngestKey(t.db, project.id);
  for (const name of ["payment-error", "key-error", "timeout", "message"]) {
    const payload = readFileSync(importFixture(`envelopes/${name}.envelope`));
    await t.http.send({ method: "POST", url: `/api/${project.id}/envelope/?sentry_key=${key}`, payload });
  }
  const all = await groups();
  assert.equal(all.size, 4);
  assert.deepEqual(
    [...all.values()].map(({ occurrence_count }) => occurrence_count).toSorted(),
    [2, 2, 3, 4],
  );
});

test("a repeated import creates nothing", async () => {
  const { repeat, groups } = await importDatabase(await copyDatabase(), "checkout");
  const { counts } = await repeat();
  assert.deepEqual([counts.error_groups, counts.already_there], [0, 4]);
  assert.equal((await groups()).size, 4);
});

test("one of several projects must be named", async () => {
  const file = await copyDatabase();
  await assert.rejects(importDatabase(file), /several projects. Name one with --from: checkout, warehouse/);
  await assert.rejects(importDatabase(file, "shop"), /no project shop, only checkout, warehouse/);
});

test("issues without events, and those seen before the retention window", async () => {
  const file = await copyDatabase(`
    delete from events_event where calculated_type = 'KeyError';
    update issues_issue set last_seen = '2020-01-01 10:00:00' where calculated_type = 'PaymentError';`);
  const { outcome, groups } = await importDatabase(file, "checkout");
  assert.equal(outcome.counts.error_groups, 3);
  assert.match(outcome.leftOut.join("\n"), /^issue CHECKOUT-1: It was last seen more than 90 days ago/);
  assert.equal((await groups()).get("KeyError")?.latest_message, "'A1'");
});

test("broken values lose no other issue", async () => {
  const file = await copyDatabase(`
    update events_event set data = '{"exception":' where calculated_type = 'KeyError';
    update events_event set data = '[1]' where calculated_type = 'TimeoutError';
    update issues_issue set first_seen = 'yesterday', last_seen = x'00ff' where calculated_type = 'PaymentError';
    update issues_issue set calculated_value = 'a' || char(0) || '<b>', digested_event_count = -7
      where calculated_type = 'TimeoutError';`);
  const { outcome } = await importDatabase(file, "checkout");
  assert.equal(outcome.counts.error_groups, 3);
  assert.equal(outcome.counts.left_out, 1);
});

for (const [name, change] of [
  ["a view", "alter table issues_issue rename to other; create view issues_issue as select * from other"],
  ["a missing table", "drop table events_event"],
  ["a generated column", "alter table events_event add column more text as (zeroblob(999999999))"],
] as const)
  test(`a database with ${name} is refused or read without it`, async () => {
    const file = await copyDatabase(change);
    if (name === "a generated column")
      assert.equal((await importDatabase(file, "checkout")).outcome.counts.error_groups, 4);
    else await assert.rejects(importDatabase(file, "checkout"), /not a database of Bugsink 2/);
  });

test("a file that is no database, or only a part of one, is refused", async () => {
  const text = path.join(folder, "text.sqlite3");
  await writeFile(text, "This is a text and no database at all. ".repeat(100));
  await assert.rejects(importDatabase(text), /cannot be read/);
  const part = path.join(folder, "part.sqlite3");
  await writeFile(part, readFileSync(importFixture("bugsink/bugsink-2.6.2.sqlite3")).subarray(0, 9_000));
  await assert.rejects(importDatabase(part), /cannot be read/);
});
