import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import type { ErrorGroupActivity } from "../../../shared/error-group-work.ts";
import type { ErrorGroup } from "../../../shared/error-groups.ts";
import type { GroupTags, KeptEvent } from "../../../shared/kept-events.ts";
import type { Release } from "../../../shared/releases.ts";
import { makeWorkspace } from "../../../../test/support/make.ts";
import { openProject, type TestProject } from "../../../../test/support/project.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);

/** Names that mean something to JavaScript, SQL or this server. Senders may use them like any other. */
const NAMES = [
  "__proto__",
  "constructor",
  "hasOwnProperty",
  "toString",
  "null",
  "undefined",
  "true",
  "other",
  "total",
  "all",
  "none",
  "me",
  "latest",
  "oldest",
  "next_release",
  "0",
  "-1",
  "%",
  "_",
  "a/b",
  "a?b#c",
  ".",
  "..",
  "%2e%2e",
  "{}",
  "'; --",
];

const ofRelease = (version: string) => encodeURIComponent(version);

const seenIn = async ({ admin, groups }: TestProject, id: number) => {
  const { data } = (await admin.get(`${groups}/${id}/activity`)).body;
  return (data as ErrorGroupActivity[]).filter(({ kind }) => kind === "first_in_release").map(({ to }) => to);
};

test("releases and hosts of any name are counted, found and in the history", async () => {
  const project = await openProject(t, workspace);
  const { id } = await project.first({ release: "1.0", host: "web" });
  for (const name of NAMES) for (const _ of [1, 2]) await project.send({ release: name, host: name });
  const { releases } = await project.only();
  assert.deepEqual(
    releases.slice(1).map(({ release, occurrence_count }) => [release, occurrence_count]),
    NAMES.map((name) => [name, 2]),
  );
  const { rows: hosts } = await sql<{ name: string }>`
    select name from error_group_hosts where group_id = ${id} and count = 2`.execute(t.db);
  assert.deepEqual(new Set(hosts.map(({ name }) => name)), new Set(NAMES));
  assert.deepEqual(await seenIn(project, id), NAMES);
  for (const name of NAMES) {
    const path = `/api/projects/${project.id}/release?version=${ofRelease(name)}`;
    const { version, events } = (await project.admin.get(path)).body as Release;
    assert.deepEqual([version, events], [name, 2], name);
    const found = await project.admin.get(`${project.groups}?release=${ofRelease(name)}`);
    assert.equal(found.body.meta.count, 1, name);
    const kept = await project.admin.get(`${project.groups}/${id}/events?release=${ofRelease(name)}`);
    assert.ok((kept.body.data as KeptEvent[]).length > 0, name);
  }
});

test("environments and classes of any name have groups of their own", async () => {
  const project = await openProject(t, workspace);
  for (const name of NAMES) await project.send({ environment: name, exception_class: name });
  for (const name of NAMES) {
    const { body } = await project.admin.get(`${project.groups}?environment=${encodeURIComponent(name)}`);
    const groups = body.data as ErrorGroup[];
    assert.deepEqual(
      groups.map(({ environment, exception_class }) => [environment, exception_class]),
      [[name, name]],
    );
  }
});

test("tags of any name and value are kept, counted and found", async () => {
  const project = await openProject(t, workspace);
  const tags = Object.fromEntries(NAMES.map((name) => [name, name]));
  const { id } = await project.first({ tags });
  const group = `${project.groups}/${id}`;
  const event = (await project.admin.get(`${group}/events/latest`)).body as KeptEvent;
  assert.deepEqual(Object.entries(event.tags).toSorted(), Object.entries(tags).toSorted());
  const counted = (await project.admin.get(`${group}/tags`)).body as GroupTags;
  assert.deepEqual(
    counted.map(({ key, values }) => [key, values[0]?.value]).toSorted(),
    Object.entries(tags).toSorted(),
  );
  for (const name of NAMES) {
    const tag = encodeURIComponent(`${name}:${name}`);
    const found = await project.admin.get(`${group}/events?tag=${tag}`);
    assert.equal((found.body.data as KeptEvent[]).length, 1, name);
  }
});

test("the sum of the releases beyond the limit does not count as a release that was seen", async () => {
  const project = await openProject(t, workspace);
  const { id } = await project.first({ release: "1.0" });
  await sql`
    insert into error_group_releases (group_id, release_hash, release, occurrence_count, first_seen_at, last_seen_at)
    select ${id}, sha256(convert_to('0.' || n, 'UTF8')), '0.' || n, 1, '2020-01-01', '2020-01-01'
    from generate_series(1, 9999) n`.execute(t.db);
  await t.db.updateTable("error_group_counts").set({ releases: 10_000 }).where("group_id", "=", id).execute();
  await project.send({ release: "2.0" });
  assert.equal((await project.only()).releases.at(-1)?.release, "other");
  assert.deepEqual(await seenIn(project, id), []);
});
