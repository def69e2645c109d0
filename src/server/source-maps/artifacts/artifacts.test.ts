import assert from "node:assert/strict";
import { test } from "node:test";
import { refusalOf } from "../../../../test/support/client.ts";
import { storedKeys, temporaryFiles } from "../../../../test/support/files.ts";
import { makeWorkspace } from "../../../../test/support/make.ts";
import { upload, type Part } from "../../../../test/support/multipart.ts";
import { openProject, type TestProject } from "../../../../test/support/project.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import { zip } from "../../../../test/support/zip.ts";
import type { Artifact } from "../../../shared/source-maps.ts";

const t = await useTestApp({ PROJECT_STORAGE_MB: "3" });
const workspace = await makeWorkspace(t.db);
const open = () => openProject(t, workspace);

const DEBUG_ID = "5f1e2a7c-8d0b-4c8e-9a53-0c6a4d1b7e22";
const MAP = JSON.stringify({ version: 3, sources: ["a.ts"], names: [], mappings: "AAAA" });

const urlOf = ({ id }: TestProject, version = "1.4.2") => `/api/projects/${id}/releases/${version}/artifacts`;

const part = (filename: string, content: string | Buffer = MAP, n = 0): Part => ({
  name: `files[${n}]`,
  filename,
  content,
});

const send = (project: TestProject, parts: Part[], version?: string) =>
  upload(project.sender, urlOf(project, version), parts);

const sendZip = (project: TestProject, payload: Buffer) =>
  project.sender.send({
    method: "POST",
    url: urlOf(project),
    headers: { "content-type": "application/zip" },
    payload,
  });

async function list(project: TestProject, version?: string): Promise<Artifact[]> {
  const answer = await project.admin.get(urlOf(project, version));
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}

const namesOf = (artifacts: Artifact[]) => artifacts.map(({ name, type }) => `${type} ${name}`).toSorted();

const bytesOf = async ({ id, admin }: TestProject) =>
  (await admin.get(`/api/projects/${id}/storage`)).body.bytes as number;

test("an upload of parts creates the release and lists the files", async () => {
  const project = await open();
  const answer = await send(project, [part("~/app.js.map"), part("~/app.js", "let a", 1)]);
  assert.equal(answer.status, 201, answer.text);
  assert.deepEqual(namesOf(answer.body.data), ["source ~/app.js", "source_map ~/app.js.map"]);
  assert.deepEqual(namesOf(await list(project)), ["source ~/app.js", "source_map ~/app.js.map"]);
  const release = await project.admin.get(`/api/projects/${project.id}/releases/1.4.2`);
  assert.deepEqual([release.status, release.body.first_seen_at], [200, null]);
});

test("the debug id of a file is read from its content", async () => {
  const project = await open();
  await send(project, [
    part("~/a.js", `let a\n//# debugId=${DEBUG_ID.toUpperCase()}\n`),
    part("~/a.js.map", MAP.replace("{", `{"debugId":"${DEBUG_ID}",`), 1),
    part("~/b.js.map", `${MAP.slice(0, -1)},"debug_id":"${DEBUG_ID.replaceAll("-", "")}"}`, 2),
    part("~/c.js.map", JSON.stringify({ sourcesContent: [`{"debug_id":"${DEBUG_ID}"}`] }), 3),
  ]);
  const ids = (await list(project)).map(({ name, debug_id }) => [name, debug_id]).toSorted();
  assert.deepEqual(ids, [
    ["~/a.js", DEBUG_ID],
    ["~/a.js.map", DEBUG_ID],
    ["~/b.js.map", DEBUG_ID],
    ["~/c.js.map", null],
  ]);
});

test("a debug id is found wherever it is in a large map", async () => {
  const project = await open();
  for (const before of [1_048_560, 1_048_500, 900_000]) {
    const map = `{"mappings":"${"A".repeat(before - 30)}","debug_id":"${DEBUG_ID}","names":[]}`;
    const answer = await send(project, [part("~/a.js.map", map)], `r${before}`);
    assert.equal((await list(project, `r${before}`))[0]?.debug_id, DEBUG_ID, String(before));
    await project.admin.delete(`${urlOf(project, `r${before}`)}/${answer.body.data[0].id}`);
  }
});

test("a file with the same name replaces the older one, and its content is removed", async () => {
  const project = await open();
  await send(project, [part("~/a.js.map", "old")]);
  const before = await storedKeys(t);
  await send(project, [part("~/a.js.map", "newer")]);
  const [artifact, ...others] = await list(project);
  assert.deepEqual([artifact?.size, others, await bytesOf(project)], [5, [], 5]);
  const after = await storedKeys(t);
  assert.equal(after.length, before.length);
  assert.notDeepEqual(after, before);
});

test("content that several names and releases share is stored and counted once", async () => {
  const project = await open();
  const before = (await storedKeys(t)).length;
  await send(project, [part("~/a.js.map"), part("~/b.js.map", MAP, 1)], "1");
  await send(project, [part("~/a.js.map")], "2");
  assert.equal((await storedKeys(t)).length, before + 1);
  assert.equal(await bytesOf(project), MAP.length);
  const [artifact] = await list(project, "2");
  assert.equal((await project.admin.delete(`${urlOf(project, "2")}/${artifact?.id}`)).status, 204);
  assert.equal((await storedKeys(t)).length, before + 1);
});

test("deleting the last artifact of a content removes its file", async () => {
  const project = await open();
  const before = await storedKeys(t);
  const { body } = await send(project, [part("~/a.js.map", "only once")]);
  const artifact = `${urlOf(project)}/${body.data[0].id}`;
  assert.equal((await project.admin.delete(artifact)).status, 204);
  assert.deepEqual([await list(project), await bytesOf(project), await storedKeys(t)], [[], 0, before]);
  assert.equal((await project.admin.delete(artifact)).status, 404);
});

test("an artifact of another release or project cannot be deleted", async () => {
  const [project, other] = [await open(), await open()];
  const { body } = await send(project, [part("~/a.js.map")]);
  await send(project, [part("~/a.js.map")], "2");
  await send(other, [part("~/a.js.map")]);
  for (const url of [urlOf(project, "2"), urlOf(other)])
    assert.equal((await project.admin.delete(`${url}/${body.data[0].id}`)).status, 404);
  assert.equal((await list(project)).length, 1);
});

for (const [what, name] of [
  ["without ~/", "app.js.map"],
  ["that is empty", "~/"],
  ["with a slash after ~/", "~//etc/passwd"],
  ["with ..", "~/a/../../b.js"],
  ["with a backslash", String.raw`~/a\b.js`],
  ["with a drive", "~/C:/a.js"],
  ["with a control character", "~/a\u0007.js"],
  ["of 1,025 characters", `~/${"a".repeat(1_023)}`],
] as const)
  test(`a name ${what} is refused, and nothing is stored`, async () => {
    const project = await open();
    const before = await storedKeys(t);
    const answer = await send(project, [part("~/fine.js.map"), part(name, MAP, 1)]);
    assert.deepEqual(refusalOf(answer), [422, "files.1"], answer.text);
    assert.deepEqual(await storedKeys(t), before);
    assert.equal((await project.admin.get(`/api/projects/${project.id}/releases/1.4.2`)).status, 404);
    assert.deepEqual(await temporaryFiles(t), []);
  });

test("a name of 1,024 characters and one with dots are accepted", async () => {
  const project = await open();
  const names = [`~/${"ä".repeat(1_022)}`, "~/[...slug].js"];
  const answer = await send(
    project,
    names.map((name, n) => part(name, MAP, n)),
  );
  assert.equal(answer.status, 201, answer.text);
  assert.deepEqual((await list(project)).map(({ name }) => name).toSorted(), names.toSorted());
});

test("an upload without files, or beyond the quota, is refused", async () => {
  const project = await open();
  assert.deepEqual(refusalOf(await send(project, [])), [422, "files"]);
  const before = await storedKeys(t);
  assert.deepEqual(refusalOf(await send(project, [part("~/a.js", "a".repeat(3_200_000))])), [422, "files"]);
  assert.deepEqual([await storedKeys(t), await bytesOf(project)], [before, 0]);
});

test("a zip archive is unpacked under the paths of its files", async () => {
  const project = await open();
  const files = ["assets/app.js.map", "~/b.js", "c.js"];
  const folder = { name: "assets/", content: "" };
  const answer = await sendZip(project, zip([folder, ...files.map((name) => ({ name, content: MAP }))]));
  assert.equal(answer.status, 201, answer.text);
  const names = ["source ~/b.js", "source ~/c.js", "source_map ~/assets/app.js.map"];
  assert.deepEqual(namesOf(await list(project)), names);
});

test("a manifest names the files of an archive, whatever the case of its headers", async () => {
  const project = await open();
  const manifest = {
    files: {
      "files/_/_/a.js": {
        url: "~/a.js",
        type: "minified_source",
        headers: { "Debug-Id": DEBUG_ID, Sourcemap: "maps/a.map" },
      },
      "files/_/_/maps/a.map": { url: "https://example.com/maps/a.map?v=1", type: "source_map", headers: {} },
    },
  };
  const entries = [...Object.keys(manifest.files), "not-listed.js"].map((name) => ({ name, content: MAP }));
  const answer = await sendZip(
    project,
    zip([...entries, { name: "manifest.json", content: JSON.stringify(manifest) }]),
  );
  assert.equal(answer.status, 201, answer.text);
  const found = (await list(project)).map(({ name, debug_id }) => [name, debug_id]).toSorted();
  assert.deepEqual(found, [
    ["~/a.js", DEBUG_ID],
    ["~/maps/a.map", null],
  ]);
  const { map_name } = await t.db
    .selectFrom("artifacts")
    .select("map_name")
    .where("project_id", "=", project.id)
    .where("type", "=", "source")
    .executeTakeFirstOrThrow();
  assert.equal(map_name, "~/maps/a.map");
});

const GOOD = { name: "a.js", content: "let a" };
const HOSTILE: [what: string, archive: Buffer, status: number, field?: string][] = [
  ["that is not one", Buffer.from("not a zip"), 422, "files"],
  ["that is empty", zip([]), 422, "files"],
  ["that ends early", zip([GOOD]).subarray(0, 60), 422, "files"],
  ["with ..", zip([GOOD, { name: "../../etc/passwd", content: "x" }]), 422, "files.1"],
  ["with an absolute path", zip([GOOD, { name: "/etc/passwd", content: "x" }]), 422, "files.1"],
  ["with a drive", zip([GOOD, { name: "C:/x.js", content: "x" }]), 422, "files.1"],
  ["with a backslash", zip([GOOD, { name: String.raw`..\x.js`, content: "x" }]), 422, "files.1"],
  ["with a link", zip([GOOD, { name: "x.js", content: "/etc/passwd", mode: 0o120777 }]), 422, "files.1"],
  ["with a device", zip([GOOD, { name: "x.js", content: "", mode: 0o020666 }]), 422, "files.1"],
  ["with a wrong checksum", zip([GOOD, { name: "x.js", content: "x", checksum: 1 }]), 422, "files.1"],
  ["with a wrong size", zip([GOOD, { name: "x.js", content: "xxxx", size: 2 }]), 422, "files.1"],
  ["with a larger size", zip([GOOD, { name: "x.js", content: "xxxx", size: 9 }]), 422, "files.1"],
  ["with a broken manifest", zip([GOOD, { name: "manifest.json", content: "{" }]), 422, "files.1"],
  [
    "of more than 10,000 files",
    zip(Array.from({ length: 10_001 }, (_, n) => ({ name: `${n}.js`, content: "", isStored: true }))),
    413,
  ],
  [
    "that claims to be small and unpacks to more than 100 MiB",
    zip([GOOD, { name: "x.js", content: Buffer.alloc(101 * 1_048_576), size: 5 }]),
    422,
    "files.1",
  ],
  ["that unpacks to more than 100 MiB", zip([{ name: "x.js", content: Buffer.alloc(101 * 1_048_576) }]), 413],
];

for (const [what, archive, status, field] of HOSTILE)
  test(`an archive ${what} is refused, and nothing is left`, async () => {
    const project = await open();
    const before = await storedKeys(t);
    const answer = await sendZip(project, archive);
    assert.deepEqual(refusalOf(answer), [status, ...(field === undefined ? [] : [field])], answer.text);
    assert.deepEqual([await storedKeys(t), await temporaryFiles(t)], [before, []]);
    assert.equal(await bytesOf(project), 0);
  });

test("the audit log names uploads and deletions", async () => {
  const project = await open();
  const { body } = await send(project, [part("~/a.js.map")]);
  await project.admin.delete(`${urlOf(project)}/${body.data[0].id}`);
  const { body: log } = await project.admin.get(
    `/api/workspaces/${workspace.id}/audit-events?kind=source_maps`,
  );
  const found = log.data
    .filter(({ details }: { details: { project_id: number } }) => details.project_id === project.id)
    .map(({ kind, subject }: { kind: string; subject: { name: string } }) => [kind, subject.name]);
  assert.deepEqual(found, [
    ["source_maps.deleted", "1.4.2"],
    ["source_maps.uploaded", "1.4.2"],
  ]);
});
