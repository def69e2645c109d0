import assert from "node:assert/strict";
import { test } from "node:test";
import { fillSmallDemo, readDemo } from "../../../../../test/support/demo.ts";
import { eventually } from "../../../../../test/support/eventually.ts";
import { temporaryFiles } from "../../../../../test/support/files.ts";
import { makeMember, makePersonalToken, makeProjectToken } from "../../../../../test/support/make.ts";
import { readExport } from "../../../../../test/support/read-export.ts";
import { useTestApp } from "../../../../../test/support/test-app.ts";
import { EXPORTED_KINDS } from "./kinds.ts";

const t = await useTestApp();
const { administratorId } = await fillSmallDemo(t);
const { browser, read } = await readDemo(t, administratorId);
const project: { id: number; key: string } = (await read("/api/projects")).data[0];
const url = `/api/projects/${project.id}`;

const download = async () => {
  const answer = await t.app.inject({
    method: "GET",
    url: `${url}/export`,
    headers: { authorization: `Bearer ${await makePersonalToken(t.db, administratorId)}` },
  });
  assert.equal(answer.statusCode, 200, answer.body);
  assert.equal(answer.headers["content-type"], "application/gzip");
  assert.equal(answer.headers["content-disposition"], `attachment; filename=${project.key}-export.tar.gz`);
  return { archive: await readExport(answer.rawPayload), bytes: answer.rawPayload };
};

test("an export has every object of the project and its files, and leaves no temporary file", async () => {
  const { archive } = await download();
  const kinds = EXPORTED_KINDS.map(({ name }) => `${name}.jsonl`);
  assert.deepEqual(archive.names.slice(0, kinds.length + 1), ["manifest.json", ...kinds]);
  const manifest = JSON.parse(String(archive.files.get("manifest.json")));
  assert.equal(manifest.format, "signalbox-export-1");
  assert.equal(manifest.project.key, project.key);
  for (const { name } of EXPORTED_KINDS) {
    assert.equal(archive.linesOf(name).length, manifest.counts[name], name);
    assert.ok(manifest.counts[name] > 0, name);
  }
  const idsOf = (kind: string) => archive.linesOf(kind).map(({ id }) => id);
  const listed = async (path: string) => {
    const body = await read(`${url}/${path}`);
    const rows: { id: number }[] = Array.isArray(body) ? body : body.data;
    return rows.map(({ id }) => id).sort((a, b) => a - b);
  };
  for (const [kind, path] of Object.entries({
    lanes: "lanes",
    labels: "labels",
    sprints: "sprints?limit=200",
    epics: "epics?limit=200",
    releases: "releases?limit=200",
    issues: "issues?limit=200",
    reports: "reports",
    error_groups: "error-groups",
  }))
    assert.deepEqual(idsOf(kind), await listed(path), kind);
  for (const line of archive.linesOf("attachments"))
    assert.equal(archive.files.get(line.file)?.length, line.size, line.filename);
  await eventually(() => temporaryFiles(t), []);
});

test("an export contains no addresses of people, no hashes of users and no secrets", async () => {
  const { archive } = await download();
  const users = await t.db.selectFrom("users").select(["email", "password_hash"]).execute();
  const people = String(archive.files.get("people.jsonl"));
  for (const { email } of users) assert.ok(!people.includes(email), email);
  const everything = Buffer.concat(
    archive.names.filter((name) => name.endsWith(".jsonl")).map((name) => archive.files.get(name) as Buffer),
  ).toString();
  for (const word of ["user_hash", "storage_key", "feedback_key", "password_hash", "snooze_users"])
    assert.ok(!everything.includes(`"${word}":`), word);
});

test("the audit log names who exported the project", async () => {
  await download();
  const [event] = (await read(`/api/workspaces/${(await read(url)).workspace_id}/audit-events?kind=export`))
    .data;
  assert.deepEqual(
    [event.kind, event.details.of, event.details.project_key, event.actor.id],
    ["export.made", "project", project.key, administratorId],
  );
});

test("only people who may change the project can export it", async () => {
  const member = await makeMember(t.db, project.id, { role: "Member" });
  assert.equal((await t.http.as(await makePersonalToken(t.db, member.id)).get(`${url}/export`)).status, 403);
  const app = t.http.as(await makeProjectToken(t.db, project.id, administratorId));
  assert.equal((await app.get(`${url}/export`)).status, 403);
  assert.equal((await browser.get("/api/projects/999999/export")).status, 404);
});
