import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { openBoard, type Board } from "../../../../../../test/support/board.ts";
import { refusalOf } from "../../../../../../test/support/client.ts";
import {
  makeMember,
  makePersonalToken,
  makeProjectToken,
  makeWorkspace,
} from "../../../../../../test/support/make.ts";
import { upload } from "../../../../../../test/support/multipart.ts";
import { useTestApp } from "../../../../../../test/support/test-app.ts";
import { removeDeletedFiles } from "../../../../files/storage/remove-deleted-files.ts";
import { deleteOldImportFiles, runImports } from "./run-imports.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);

const NEVER = new AbortController().signal;
const work = (signal = NEVER) => runImports({ db: t.db, storage: t.storage, retentionDays: 90 }, signal);

const CSV = "No;Name;Who\n1;Coupons fail;Ada\n2;;Ada\n3;Slow start;Grace\n";

async function open() {
  const board = await openBoard(t, workspace);
  const imports = `${board.url}/imports`;
  const send = (content: string | Buffer = CSV, kind = "csv") =>
    upload(board.admin, imports, [
      { name: "kind", value: kind },
      { name: "file", filename: "tasks.csv", content },
    ]);
  const read = async (id: number) => (await board.admin.get(`${imports}/${id}`)).body;
  const issues = async () => (await board.admin.get(`${board.issues}?sort=created_at`)).body.data;
  return { ...board, imports, send, read, issues };
}

const storedFiles = async () => {
  await removeDeletedFiles(t.db, t.storage);
  const keys: string[] = [];
  for await (const { key } of t.storage.list()) keys.push(key);
  return keys.length;
};

test("an uploaded file is checked, mapped, started and imported, and then deleted", async () => {
  const board = await open();
  const before = await storedFiles();
  const created = await board.send(CSV.replace("Name", "Headline"));
  assert.equal(created.status, 201, created.text);
  const { id } = created.body;
  assert.deepEqual(
    [created.body.state, created.body.filename, created.body.counts],
    ["checking", "tasks.csv", null],
  );
  assert.equal(await storedFiles(), before + 1);
  await work();
  const unmapped = await board.read(id);
  assert.deepEqual([unmapped.state, unmapped.columns], ["checked", ["No", "Headline", "Who"]]);
  assert.match(unmapped.error, /^Name the column with the titles/);
  const user = await makeMember(t.db, board.id);
  const changes = { map: { title: "Headline", assignee: "Who", id: "No" }, people: { Ada: user.id } };
  const changed = await board.admin.patch(`${board.imports}/${id}`, changes);
  assert.deepEqual([changed.status, changed.body.state, changed.body.error], [200, "checking", null]);
  await work();
  const checked = await board.read(id);
  const counts = { issues: 2, reports: 0, error_groups: 0, comments: 0, already_there: 0, left_out: 1 };
  assert.deepEqual(
    [checked.state, checked.error, checked.counts, checked.unmatched],
    ["checked", null, counts, ["Grace"]],
  );
  assert.deepEqual(checked.left_out, [{ where: "line 3", text: "It has no title." }]);
  assert.deepEqual(await board.issues(), []);
  const started = await board.admin.post(`${board.imports}/${id}/start`);
  assert.deepEqual([started.status, started.body.state], [200, "importing"]);
  await work();
  const done = await board.read(id);
  assert.deepEqual([done.state, done.counts, done.left_out], ["done", counts, checked.left_out]);
  assert.ok(done.finished_at >= done.started_at);
  const issues = await board.issues();
  assert.deepEqual(issues.map(({ title }: { title: string }) => title).toSorted(), [
    "Coupons fail",
    "Slow start",
  ]);
  const coupons = issues.find(({ title }: { title: string }) => title === "Coupons fail");
  assert.deepEqual([coupons.assignee_id, coupons.imported_from.id], [user.id, "1"]);
  assert.equal(await storedFiles(), before);
});

test("an import that was interrupted is continued by another process, and creates nothing twice", async () => {
  const board = await open();
  const rows = Array.from({ length: 350 }, (_, n) => `${n},Task ${n}\n`).join("");
  const { id } = (await board.send(`id,title\n${rows}`)).body;
  await work();
  await board.admin.post(`${board.imports}/${id}/start`);
  const stopping = new AbortController();
  // The first batch is committed when the progress is saved.
  const watching = (async () => {
    while ((await board.read(id)).counts === null) if (stopping.signal.aborted) return;
    stopping.abort();
  })();
  await work(stopping.signal);
  stopping.abort();
  await watching;
  await work();
  assert.equal((await board.read(id)).state, "done");
  const { rows: found } = await sql<{ count: number; titles: number }>`
    select count(*)::int, count(distinct title)::int as titles from issues where project_id = ${board.id}`.execute(
    t.db,
  );
  assert.deepEqual(found, [{ count: 350, titles: 350 }]);
});

test("after a crash an import is taken over only when its lease has ended", async () => {
  const board = await open();
  const { id } = (await board.send()).body;
  const lease = (interval: string) =>
    sql`update imports set leased_until = clock_timestamp() + ${interval}::interval where id = ${id}`.execute(
      t.db,
    );
  await lease("1 hour");
  await work();
  assert.equal((await board.read(id)).state, "checking");
  await lease("-1 second");
  await work();
  assert.equal((await board.read(id)).state, "checked");
});

test("only an import that was checked without an error can be started, and only once", async () => {
  const board = await open();
  const start = (id: number) => board.admin.post(`${board.imports}/${id}/start`);
  const { id } = (await board.send("Column\nx\n")).body;
  assert.equal((await start(id)).status, 422);
  await work();
  assert.match(
    (await start(id)).body.message,
    /^The file cannot be imported: Name the column with the titles/,
  );
  await board.admin.patch(`${board.imports}/${id}`, { map: { title: "Column" } });
  await work();
  assert.equal((await start(id)).status, 200);
  assert.equal((await start(id)).status, 422);
  assert.equal((await board.admin.patch(`${board.imports}/${id}`, { map: {} })).status, 422);
  await work();
});

test("a file that cannot be read says why", async () => {
  const board = await open();
  const { id } = (await board.send("not JSON", "github")).body;
  await work();
  assert.equal((await board.read(id)).error, "The file is not a JSON list of objects.");
});

test("a body without a kind, with an unknown one, or without a file is refused on the field", async () => {
  const board = await open();
  const file = { name: "file", filename: "a.csv", content: CSV };
  const refusals = await Promise.all([
    upload(board.admin, board.imports, [file]),
    upload(board.admin, board.imports, [{ name: "kind", value: "trello" }, file]),
    upload(board.admin, board.imports, [{ name: "kind", value: "plane" }, file]),
    upload(board.admin, board.imports, [{ name: "kind", value: "csv" }]),
  ]);
  assert.deepEqual(refusals.map(refusalOf), [
    [422, "kind"],
    [422, "kind"],
    [422, "kind"],
    [422, "file"],
  ]);
  assert.deepEqual((await board.admin.get(board.imports)).body.data, []);
});

test("a mapping to an unknown field and people from outside the project are refused", async () => {
  const board = await open();
  const { id } = (await board.send()).body;
  const stranger = await makeMember(t.db, (await openBoard(t, workspace)).id);
  const change = (body: unknown) => board.admin.patch(`${board.imports}/${id}`, body);
  assert.equal((await change({ map: { color: "Name" } })).status, 422);
  assert.deepEqual(refusalOf(await change({ people: { Ada: stranger.id } })), [422, "people.Ada"]);
  assert.deepEqual(refusalOf(await change({ people: { Ada: "1" } })), [422, "people.Ada"]);
  assert.equal((await board.read(id)).state, "checking");
});

test("an import of another project is not found", async () => {
  const [board, other] = [await open(), await open()];
  const { id } = (await other.send()).body;
  for (const answer of [
    await board.admin.get(`${board.imports}/${id}`),
    await board.admin.patch(`${board.imports}/${id}`, { map: 1 }),
    await board.admin.post(`${board.imports}/${id}/start`),
  ])
    assert.equal(answer.status, 404);
});

test("project tokens and members without project:update get 403", async () => {
  const board = await open();
  const member = t.http.as(await makePersonalToken(t.db, (await makeMember(t.db, board.id)).id));
  const token = t.http.as(await makeProjectToken(t.db, board.id, workspace.admin.id));
  for (const client of [member, token]) assert.equal((await client.get(board.imports)).status, 403);
});

test("imports are listed newest first", async () => {
  const board = await open();
  const ids = [(await board.send()).body.id, (await board.send()).body.id];
  const first = (await board.admin.get(`${board.imports}?limit=1`)).body;
  assert.deepEqual(
    first.data.map(({ id }: { id: number }) => id),
    [ids[1]],
  );
  const next = (await board.admin.get(`${board.imports}?limit=1&cursor=${first.meta.next_cursor}`)).body;
  assert.deepEqual(
    next.data.map(({ id }: { id: number }) => id),
    [ids[0]],
  );
});

test("the file of an import that was never started is deleted after a day", async () => {
  const board = await open();
  const before = await storedFiles();
  const { id } = (await board.send()).body;
  await work();
  await deleteOldImportFiles(t.db);
  assert.equal(await storedFiles(), before + 1);
  await sql`update import_files set created_at = created_at - interval '25 hours' where import_id = ${id}`.execute(
    t.db,
  );
  await deleteOldImportFiles(t.db);
  assert.equal(await storedFiles(), before);
  assert.match((await board.admin.post(`${board.imports}/${id}/start`)).body.message, /Upload it again/);
});

test("uploading, mapping and starting an import are in the audit log", async () => {
  const board = await open();
  const { id } = (await board.send()).body;
  await board.admin.patch(`${board.imports}/${id}`, { map: { title: "Name" } });
  await work();
  await board.admin.post(`${board.imports}/${id}/start`);
  assert.deepEqual(await auditedKinds(board, id), ["import.created", "import.changed", "import.started"]);
  await work();
});

async function auditedKinds({ id: projectId }: Pick<Board, "id">, importId: number): Promise<string[]> {
  const { rows } = await sql<{ kind: string }>`
    select kind from audit_events where subject_type = 'import' and subject_id = ${importId}
      and details ->> 'project_id' = ${String(projectId)} order by id`.execute(t.db);
  return rows.map(({ kind }) => kind);
}
