import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { gzipSync } from "node:zlib";
import { pack } from "tar-stream";
import { buffer } from "node:stream/consumers";
import { sql } from "kysely";
import { fillSmallDemo, readDemo } from "../../../../../test/support/demo.ts";
import { makeCookie, makeMember, makeUser, makeWorkspace } from "../../../../../test/support/make.ts";
import { canonical, nameObjects, type Read } from "../../../../../test/support/name-objects.ts";
import { readExport } from "../../../../../test/support/read-export.ts";
import { useTestApp } from "../../../../../test/support/test-app.ts";
import { FileExaminer } from "../../../files/file-examiner.ts";
import { importExport } from "./import-export.ts";

const here = await useTestApp();
const { administratorId } = await fillSmallDemo(here);
const source = await readDemo(here, administratorId);
const project: { id: number; key: string } = (await source.read("/api/projects")).data[0];
const administrator = here.http.withCookie(await cookieOf(here, administratorId));
const openGroups = `/api/projects/${project.id}/error-groups?status=0`;
const [snoozed] = (await administrator.get(openGroups)).body.data;
const snooze = `/api/projects/${project.id}/error-groups/${snoozed.id}/ignore`;
assert.equal((await administrator.post(snooze, { until: { users: 5 } })).status, 200);
const exported = await here.app.inject({
  method: "GET",
  url: `/api/projects/${project.id}/export`,
  headers: { cookie: await cookieOf(here, administratorId) },
});
assert.equal(exported.statusCode, 200);
const archive = await readExport(exported.rawPayload);

const there = await useTestApp();
const folder = await mkdtemp(path.join(tmpdir(), "import-export-"));
after(() => rm(folder, { recursive: true, force: true }));
const examiner = new FileExaminer();
after(() => examiner.close());

function cookieOf(t: typeof here, userId: number) {
  return makeCookie(t.db, userId);
}

/** An empty project with the same people, and what imports an archive into it. */
async function openTarget(key: string) {
  const people = archive.linesOf("people");
  const workspace = await makeWorkspace(there.db);
  const { id } = await there.db
    .insertInto("projects")
    .values({ workspace_id: workspace.id, key, name: "Moved" })
    .returning("id")
    .executeTakeFirstOrThrow();
  const addresses = new Map<string, string>();
  for (const [n, { username }] of people.entries()) {
    const email = `${username}-${id}-${n}@example.com`;
    const user = await makeUser(there.db, { username: `${username}-${id}`, email });
    await makeMember(there.db, id, { user, is_owner: n === 0 });
    addresses.set(username, email);
  }
  let count = 0;
  const load = async (bytes: Buffer, isDryRun = false) => {
    const file = path.join(folder, `${id}-${++count}.tar.gz`);
    await writeFile(file, bytes);
    const leftOut: string[] = [];
    const uploads = await mkdtemp(path.join(folder, "files-"));
    const { counts, unmatched } = await importExport(there.db, {
      file,
      project: { id, key },
      addresses,
      fallbackAuthorId: workspace.admin.id,
      retentionDays: 90,
      isDryRun,
      storage: there.storage,
      examiner,
      folder: uploads,
      signal: new AbortController().signal,
      onLeftOut: ({ where, reason }) => leftOut.push(`${where}: ${reason}`),
      onProgress: () => {},
    });
    return { counts, unmatched: [...unmatched.keys()], leftOut };
  };
  const browser = there.http.withCookie(await makeCookie(there.db, workspace.admin.id));
  const read: Read = async (url) => {
    const answer = await browser.get(url);
    assert.equal(answer.status, 200, `${url} ${answer.text}`);
    return answer.body;
  };
  return { id, key, addresses, load, read };
}

test("an imported export answers like the project that it is from", async () => {
  const target = await openTarget(project.key);
  const expected = await target.load(exported.rawPayload, true);
  const { counts, leftOut } = await target.load(exported.rawPayload);
  assert.deepEqual(leftOut, []);
  assert.deepEqual(counts, expected.counts);
  const urls = [`/api/projects/${project.id}`, `/api/projects/${target.id}`] as const;
  const [before, moved] = [
    await nameObjects(source.read, urls[0], ""),
    await nameObjects(target.read, urls[1], `-${target.id}`),
  ];
  const compare = async (paths: [string, string], what: string) => {
    const expectedAnswer = canonical(await source.read(urls[0] + paths[0]), before.names);
    assert.deepEqual(canonical(await target.read(urls[1] + paths[1]), moved.names), expectedAnswer, what);
  };
  for (const list of [
    "/lanes",
    "/labels",
    "/sprints?limit=200",
    "/epics?limit=200",
    "/releases?limit=200",
    "/issues?limit=200&sort=rank",
    "/reports",
    "/error-groups?sort=events",
  ])
    await compare([list, list], list);
  const pairs = (kind: string) => {
    const ids = new Map([...(moved.names[kind] ?? [])].map(([id, name]) => [name, id]));
    return [...(before.names[kind] ?? [])].map(([id, name]) => [id, ids.get(name) as number] as const);
  };
  for (const [kind, parent] of [
    ["issue", "issues"],
    ["epic", "epics"],
    ["report", "reports"],
    ["group", "error-groups"],
  ] as const)
    for (const [from, to] of pairs(kind)) {
      await compare([`/${parent}/${from}`, `/${parent}/${to}`], `${parent}/${from}`);
      const comments = (id: number) => `/${parent}/${id}/comments`;
      await compare([comments(from), comments(to)], comments(from));
    }
  for (const [from, to] of pairs("group"))
    await compare([`/error-groups/${from}/events`, `/error-groups/${to}/events`], `events of ${from}`);
});

/** A gzipped archive with these members. A member without content is a link. */
async function packed(members: [name: string, content: string | undefined][]): Promise<Buffer> {
  const tar = pack();
  for (const [name, content] of members)
    if (content === undefined) tar.entry({ name, type: "symlink", linkname: "/etc/passwd" });
    else tar.entry({ name }, content);
  tar.finalize();
  return gzipSync(await buffer(tar));
}

/** The members of the export, with some of them replaced. */
const membersOf = (replaced: Record<string, string> = {}): [string, string | undefined][] =>
  archive.names
    .filter((name) => !name.startsWith("files/"))
    .map((name) => [name, replaced[name] ?? String(archive.files.get(name))]);

test("a repeated import finds everything again and creates nothing", async () => {
  const target = await openTarget("AGAIN");
  const { counts } = await target.load(exported.rawPayload);
  const rows = () =>
    sql<{ counts: number[] }>`select array[
      (select count(*) from issues where project_id = ${target.id}), (select count(*) from reports where project_id = ${target.id}),
      (select count(*) from error_groups where project_id = ${target.id}), (select count(*) from comments where project_id = ${target.id}),
      (select count(*) from attachments where project_id = ${target.id}), (select count(*) from lanes where project_id = ${target.id}),
      (select count(*) from notifications where project_id = ${target.id}), (select count(*) from new_releases)] as counts`
      .execute(there.db)
      .then(({ rows: [row] }) => row?.counts);
  const before = await rows();
  const again = await target.load(exported.rawPayload);
  const created = counts.issues + counts.reports + counts.error_groups + counts.comments;
  assert.deepEqual(again.counts, {
    issues: 0,
    reports: 0,
    error_groups: 0,
    comments: 0,
    already_there: created,
    left_out: 0,
  });
  assert.deepEqual(await rows(), before);
  assert.deepEqual(before?.slice(-2), [0, 0]);
});

test("issues of a project with issues follow them, with new numbers", async () => {
  const target = await openTarget("OTHER");
  await there.db
    .insertInto("lanes")
    .values({ project_id: target.id, name: "Own", kind: "todo", position: 0 })
    .execute();
  await sql`
    insert into issues (project_id, number, title, type, priority, lane_id, rank)
    select ${target.id}, 1, 'First', 0, 2, id, 'a0' from lanes where project_id = ${target.id}`.execute(
    there.db,
  );
  await there.db.updateTable("projects").set({ last_issue_number: 1 }).where("id", "=", target.id).execute();
  await target.load(exported.rawPayload);
  const { data } = await target.read(`/api/projects/${target.id}/issues?limit=200&sort=created_at`);
  const numbers: number[] = data.map(({ key }: { key: string }) => Number(key.split("-")[1]));
  assert.deepEqual(
    numbers.sort((a, b) => a - b),
    Array.from({ length: archive.linesOf("issues").length + 1 }, (_, n) => n + 1),
  );
  const { data: lanes } = await target.read(`/api/projects/${target.id}/lanes`);
  assert.equal(lanes[0].name, "Own");
});

test("people without an account are listed by their names", async () => {
  const target = await openTarget("NAMES");
  const [{ username, first_name, last_name }] = archive.linesOf("people");
  assert.deepEqual((await target.load(exported.rawPayload, true)).unmatched, []);
  target.addresses.delete(username);
  const { unmatched } = await target.load(exported.rawPayload, true);
  assert.deepEqual(unmatched, [`${first_name} ${last_name}`]);
});

const HOSTILE: [what: string, bytes: () => Promise<Buffer> | Buffer, message: RegExp][] = [
  ["that is no gzip", () => Buffer.from("hello"), /damaged or incomplete/],
  [
    "that ends early",
    () => exported.rawPayload.subarray(0, exported.rawPayload.length / 2),
    /damaged or incomplete/,
  ],
  ["without a manifest", () => packed([["people.jsonl", ""]]), /not an export of Signalbox/],
  [
    "of another version",
    () => packed([["manifest.json", '{"format":"signalbox-export-9"}']]),
    /has the format signalbox-export-9/,
  ],
  [
    "with a name that leaves the folder",
    () => packed([...membersOf().slice(0, 1), ["../../evil", "x"]]),
    /does not belong/,
  ],
  ["with a link", () => packed([...membersOf().slice(0, 1), ["people.jsonl", undefined]]), /does not belong/],
  [
    "with a member twice",
    () => packed([...membersOf().slice(0, 2), ["people.jsonl", ""]]),
    /people\.jsonl.*does not belong/,
  ],
  ["that lacks members", () => packed(membersOf().slice(0, 4)), /lacks sprints\.jsonl/],
  [
    "with a line that is no object",
    () => packed(membersOf({ "lanes.jsonl": "[]\n" })),
    /lanes\.jsonl, line 1/,
  ],
  [
    "with a value that no column takes",
    () => packed(membersOf({ "lanes.jsonl": '{"id":1,"name":"x","kind":"evil","position":0}\n' })),
    /cannot be stored/,
  ],
  [
    "with a value that is nested very deeply",
    () =>
      packed(membersOf({ "lanes.jsonl": `{"id":1,"name":${"[".repeat(50_000)}${"]".repeat(50_000)}}\n` })),
    /lanes\.jsonl, line 1 is nested too deeply/,
  ],
];

for (const [n, [what, bytes, message]] of HOSTILE.entries())
  test(`an archive ${what} is refused`, async () => {
    const target = await openTarget(`BAD${n}`);
    const content = await bytes();
    await assert.rejects(target.load(content), message);
    // What was complete before stays, and a repeated import continues there.
    if (!/damaged/.test(message.source)) {
      const { data } = await target.read(`/api/projects/${target.id}/issues`);
      assert.deepEqual(data, []);
    }
  });

test("files that are damaged, or that nothing refers to, are left out", async () => {
  const target = await openTarget("FILES");
  const [line] = archive.linesOf("attachments");
  const tar = await packed([...membersOf(), [line.file, "damaged"], ["files/999999999", "unknown"]]);
  const { leftOut } = await target.load(tar);
  assert.deepEqual(leftOut, [`${line.file}: it is damaged`, "files/999999999: nothing here has this file"]);
});
