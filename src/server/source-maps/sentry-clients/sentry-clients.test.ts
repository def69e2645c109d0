import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import type { Answer, Client } from "../../../../test/support/client.ts";
import { storedKeys, temporaryFiles } from "../../../../test/support/files.ts";
import {
  makeMember,
  makePersonalToken,
  makeProjectToken,
  makeWorkspace,
} from "../../../../test/support/make.ts";
import { upload, type Part } from "../../../../test/support/multipart.ts";
import { openProject, type TestProject } from "../../../../test/support/project.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import { zip } from "../../../../test/support/zip.ts";
import { deleteOldChunks } from "./chunks.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);
const open = () => openProject(t, workspace);

const ORG = "/api/0/organizations/acme";
const DEBUG_ID = "79c3f7e5-23f0-59bd-9871-136f988f9eba";
const MAP = JSON.stringify({ version: 3, sources: ["a.ts"], names: [], mappings: "AAAA" });

const sha1 = (bytes: Buffer) => createHash("sha1").update(bytes).digest("hex");

const manifest = {
  files: {
    "files/_/_/app.js": {
      type: "minified_source",
      url: "~/app.js",
      headers: { "debug-id": DEBUG_ID, sourcemap: "app.js.map" },
    },
    "files/_/_/app.js.map": { type: "source_map", url: "~/app.js.map", headers: { "debug-id": DEBUG_ID } },
  },
};

/** A bundle as the clients make it: its own prefix, then a zip archive whose offsets count from the beginning of the file. */
const bundle = (seed = "", entries = [{ name: "manifest.json", content: JSON.stringify(manifest) }]) =>
  zip(
    [
      { name: "files/_/_/app.js", content: `let a${seed}` },
      { name: "files/_/_/app.js.map", content: MAP },
      ...entries,
    ],
    Buffer.from("SYSB\u0002\0\0\0"),
  );

const chunkPart = (bytes: Buffer, name = sha1(bytes)): Part => ({
  name: "file_gzip",
  filename: name,
  content: gzipSync(bytes),
});

const sendChunks = (client: Client, parts: Part[]) => upload(client, `${ORG}/chunk-upload/`, parts);

const assemble = (
  client: Client,
  bytes: Buffer,
  chunks: Buffer[],
  more: Record<string, unknown> = {},
): Promise<Answer> =>
  client.post(`${ORG}/artifactbundle/assemble/`, {
    checksum: sha1(bytes),
    chunks: chunks.map(sha1),
    ...more,
  });

const artifactsOf = async ({ id, admin }: TestProject, version = "1.4.2") =>
  (await admin.get(`/api/projects/${id}/releases/${version}/artifacts`)).body?.data?.map(
    ({ name, debug_id }: { name: string; debug_id: string }) => [name, debug_id],
  );

test("the address for chunks is absolute, and a name with spaces stays in it", async () => {
  const { sender } = await open();
  const { status, body } = await sender.get("/api/0/organizations/My%20team/chunk-upload/");
  assert.equal(status, 200);
  assert.match(body.url, /^https?:\/\/.+\/api\/0\/organizations\/My%20team\/chunk-upload\/$/);
  assert.deepEqual(
    [body.chunkSize, body.hashAlgorithm, body.compression, body.accept],
    [8_388_608, "sha1", ["gzip"], ["release_files", "artifact_bundles", "artifact_bundles_v2"]],
  );
});

test("a GET with a JSON content type and no body is answered", async () => {
  const { sender } = await open();
  const headers = { "content-type": "application/json" };
  assert.equal((await sender.send({ method: "GET", url: `${ORG}/chunk-upload/`, headers })).status, 200);
});

test("a bundle in two chunks is asked for, sent and put together", async () => {
  const project = await open();
  const bytes = bundle();
  const halves = [bytes.subarray(0, 100), bytes.subarray(100)];
  const more = { projects: [String(project.id)], version: "1.4.2" };
  const first = await assemble(project.sender, bytes, halves, more);
  assert.deepEqual(first.body, { state: "not_found", missingChunks: halves.map(sha1), detail: null });
  assert.deepEqual(
    (
      await sendChunks(
        project.sender,
        halves.map((half) => chunkPart(half)),
      )
    ).body,
    {},
  );
  for (let n = 0; n < 2; n++) {
    const { body } = await assemble(project.sender, bytes, halves, more);
    assert.deepEqual(body, { state: "ok", missingChunks: [], detail: null });
  }
  assert.deepEqual((await artifactsOf(project)).toSorted(), [
    ["~/app.js", DEBUG_ID],
    ["~/app.js.map", DEBUG_ID],
  ]);
  assert.deepEqual(await temporaryFiles(t), []);
});

test("chunks may be sent without compression", async () => {
  const { sender } = await open();
  const bytes = bundle("plain");
  const part: Part = { name: "file", filename: sha1(bytes), content: bytes };
  assert.equal((await sendChunks(sender, [part])).status, 200);
  assert.equal((await assemble(sender, bytes, [bytes], { version: "1.4.2" })).body.state, "ok");
});

test("another project's chunks are not found", async () => {
  const [project, other] = [await open(), await open()];
  const bytes = bundle("other's");
  await sendChunks(other.sender, [chunkPart(bytes)]);
  const { body } = await assemble(project.sender, bytes, [bytes], { version: "1.4.2" });
  assert.deepEqual(body.missingChunks, [sha1(bytes)]);
});

test("a chunk with a wrong checksum or beyond 8 MiB, and broken gzip data, get 400 and are not kept", async () => {
  const { sender } = await open();
  const before = await storedKeys(t);
  const large = Buffer.alloc(8_388_609);
  for (const part of [
    chunkPart(Buffer.from("a"), sha1(Buffer.from("b"))),
    chunkPart(large),
    { name: "file", filename: sha1(large), content: large },
    { name: "file_gzip", filename: sha1(large), content: "not gzip" },
    { name: "file", filename: "../../etc/passwd", content: "x" },
  ]) {
    const { status, body } = await sendChunks(sender, [chunkPart(Buffer.from("fine")), part]);
    assert.deepEqual([status, typeof body.detail], [400, "string"], JSON.stringify(body));
  }
  assert.deepEqual([await storedKeys(t), await temporaryFiles(t)], [before, []]);
});

test("a bundle that is not what its checksum says, or that is hostile, is an error and stores nothing", async () => {
  const project = await open();
  const link = zip([{ name: "x.js", content: "/etc/passwd", mode: 0o120777 }]);
  const outside = bundle("", [
    { name: "manifest.json", content: JSON.stringify(manifest).replace("~/app.js.map", "~/../../x") },
  ]);
  const cases: [bytes: Buffer, checksum: Buffer, detail: RegExp][] = [
    [bundle("a"), bundle("b"), /checksum/],
    [link, link, /^files\.0 /],
    [outside, outside, /^files\.1 /],
    [Buffer.from("SYSB"), Buffer.from("SYSB"), /zip archive/],
  ];
  for (const [bytes, named, detail] of cases) {
    await sendChunks(project.sender, [chunkPart(bytes)]);
    const { status, body } = await assemble(project.sender, named, [bytes], { version: "1.4.2" });
    assert.deepEqual([status, body.state], [200, "error"]);
    assert.match(body.detail, detail);
  }
  assert.equal(await artifactsOf(project), undefined);
  assert.deepEqual(await temporaryFiles(t), []);
});

test("a bundle without a version is kept for its debug ids, and once", async () => {
  const project = await open();
  for (const seed of ["1", "2"]) {
    const bytes = bundle(seed);
    await sendChunks(project.sender, [chunkPart(bytes)]);
    assert.equal((await assemble(project.sender, bytes, [bytes])).body.state, "ok");
  }
  const rows = await t.db.selectFrom("artifacts").selectAll().where("project_id", "=", project.id).execute();
  assert.deepEqual(rows.map(({ name, release_id, debug_id }) => [name, release_id, debug_id]).toSorted(), [
    ["~/app.js", null, DEBUG_ID],
    ["~/app.js.map", null, DEBUG_ID],
  ]);
});

test("a project token uploads to its own project only", async () => {
  const [project, other] = [await open(), await open()];
  const bytes = bundle();
  await sendChunks(project.sender, [chunkPart(bytes)]);
  for (const projects of [[String(other.id)], [project.id, other.id]]) {
    const { status, body } = await assemble(project.sender, bytes, [bytes], { projects, version: "1.4.2" });
    assert.deepEqual([status, Object.keys(body)], [403, ["detail"]]);
  }
  assert.deepEqual([await artifactsOf(project), await artifactsOf(other)], [undefined, undefined]);
});

test("a personal token uploads to the projects that it names and that its user may change", async () => {
  const [project, other, foreign] = [
    await open(),
    await open(),
    await openProject(t, await makeWorkspace(t.db)),
  ];
  const bytes = bundle();
  await sendChunks(project.admin, [chunkPart(bytes)]);
  const ask = (projects?: number[]) =>
    assemble(project.admin, bytes, [bytes], { projects, version: "1.4.2" });
  assert.equal((await ask()).status, 400);
  assert.equal((await ask([project.id, foreign.id])).status, 403);
  assert.equal((await ask([project.id, other.id])).body.state, "ok");
  assert.deepEqual([(await artifactsOf(project)).length, (await artifactsOf(other)).length], [2, 2]);
});

test("a token that may only read, and a user who may not change errors, get 403", async () => {
  const project = await open();
  const viewer = await makeMember(t.db, project.id, { role: "Viewer" });
  const readers = [
    t.http.as(await makeProjectToken(t.db, project.id, workspace.admin.id, { access: "read" })),
    t.http.as(await makePersonalToken(t.db, workspace.admin.id, { write: false })),
  ];
  const bytes = bundle();
  for (const client of readers) {
    assert.equal((await client.get(`${ORG}/chunk-upload/`)).status, 403);
    assert.equal((await sendChunks(client, [chunkPart(bytes)])).status, 403);
    assert.equal(
      (await client.post(`${ORG}/releases/`, { version: "1", projects: [project.id] })).status,
      403,
    );
  }
  const personal = t.http.as(await makePersonalToken(t.db, viewer.id));
  assert.equal((await assemble(personal, bytes, [bytes], { projects: [project.id] })).status, 403);
  assert.equal(
    (await personal.post(`${ORG}/releases/`, { version: "1", projects: [project.id] })).status,
    403,
  );
});

test("invalid bodies get a detail", async () => {
  const { sender } = await open();
  for (const body of [
    {},
    { checksum: "x", chunks: [] },
    { checksum: "a".repeat(40), chunks: ["b"] },
    [],
    5,
  ]) {
    const answer = await sender.post(`${ORG}/artifactbundle/assemble/`, body);
    assert.deepEqual([answer.status, typeof answer.body.detail], [422, "string"], JSON.stringify(body));
  }
});

test("chunks are deleted after a day", async () => {
  const { sender, id } = await open();
  const before = await storedKeys(t);
  await sendChunks(sender, [chunkPart(Buffer.from("old")), chunkPart(Buffer.from("new"))]);
  await t.db
    .updateTable("artifact_chunks")
    .set({ created_at: new Date(Date.now() - 25 * 3_600_000).toISOString() })
    .where("project_id", "=", id)
    .where("sha1", "=", Buffer.from(sha1(Buffer.from("old")), "hex"))
    .execute();
  assert.equal(await deleteOldChunks(t.db), 1);
  assert.equal(
    (await t.db.selectFrom("artifact_chunks").select("id").where("project_id", "=", id).execute()).length,
    1,
  );
  assert.equal((await storedKeys(t)).length, before.length + 2);
});

test("a release is created once, by either address, and is not seen", async () => {
  const project = await open();
  const both = [`${ORG}/releases/`, `/api/0/projects/acme/${project.id}/releases/`];
  const statuses = [];
  for (const url of both) statuses.push((await project.sender.post(url, { version: "2.0" })).status);
  assert.deepEqual(statuses, [201, 200]);
  const { body } = await project.admin.get(`/api/projects/${project.id}/releases/2.0`);
  assert.deepEqual([body.first_seen_at, body.deploys], [null, []]);
});

test("finishing a release and naming its commits records no deploy", async () => {
  const project = await open();
  const finished = "2026-11-28T09:54:25.792733235Z";
  const { status, body } = await project.sender.send({
    method: "PUT",
    url: `/api/0/projects/acme/${project.id}/releases/2.0/`,
    headers: { "content-type": "application/json" },
    payload: JSON.stringify({
      projects: ["any"],
      dateReleased: finished,
      commits: [{ id: "b2" }, { id: "a1" }],
    }),
  });
  assert.deepEqual([status, body.version, body.dateReleased], [200, "2.0", "2026-11-28T09:54:25.792733Z"]);
  const release = await project.admin.get(`/api/projects/${project.id}/releases/2.0`);
  assert.deepEqual([release.body.first_seen_at, release.body.deploys], [null, []]);
  await project.sender.post(`${ORG}/releases/`, {
    version: "2.1",
    refs: [{ repository: "r", commit: "c3" }],
  });
  const previous = await project.sender.get(`${ORG}/releases/2.1/previous-with-commits/`);
  assert.deepEqual([previous.body.version, previous.body.lastCommit], ["2.0", { id: "b2" }]);
  assert.deepEqual((await project.sender.get(`${ORG}/releases/2.0/previous-with-commits/`)).body, {});
});

test("a deploy is recorded for the release of a project or personal token", async () => {
  const project = await open();
  await project.sender.post(`${ORG}/releases/`, { version: "3.0" });
  for (const [client, environment] of [
    [project.sender, "production"],
    [project.admin, "staging"],
  ] as const) {
    const { status, body } = await client.post(`${ORG}/releases/3.0/deploys/`, {
      environment,
      name: null,
      url: null,
      dateStarted: null,
      dateFinished: "2026-11-28T09:54:26.036403413Z",
    });
    assert.deepEqual([status, body.environment], [201, environment], JSON.stringify(body));
  }
  const { body } = await project.admin.get(`/api/projects/${project.id}/releases/3.0`);
  assert.deepEqual(body.deploys.map((deploy: { environment: string }) => deploy.environment).toSorted(), [
    "production",
    "staging",
  ]);
  assert.equal((await project.admin.post(`${ORG}/releases/nope/deploys/`, {})).status, 404);
});

test("clients learn the organization, its repositories and who they are", async () => {
  const { sender, admin } = await open();
  const { body } = await sender.get("/api/0/organizations/acme/");
  assert.deepEqual([body.slug, Object.keys(body.links)], ["acme", ["organizationUrl", "regionUrl"]]);
  assert.deepEqual((await sender.get(`${ORG}/repos/?cursor=`)).body, []);
  assert.equal((await sender.get("/api/0/")).body.user, null);
  assert.equal((await admin.get("/api/0/")).body.user.id, String(workspace.admin.id));
});
