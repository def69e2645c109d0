import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { after, test } from "node:test";
import { S3Storage } from "../../src/server/files/storage/s3-storage.ts";
import { checkContents } from "../../src/server/commands/doctor/check-contents.ts";
import { startFakeS3 } from "../support/fake-s3.ts";
import { storedKeys } from "../support/files.ts";
import { png } from "../support/images.ts";
import { listeningLog } from "../support/listening-log.ts";
import { upload } from "../support/multipart.ts";
import { makeWorkspace } from "../support/make.ts";
import { openProject } from "../support/project.ts";
import { openReports } from "../support/reports.ts";
import { openTestApp, type TestApp } from "../support/test-app.ts";

const s3 = await startFakeS3();
const { log, lines } = listeningLog();
const storage = new S3Storage(s3.settings, 1_000);
const t = await openTestApp({}, { storage, logger: log });
const p = await openReports(t);
after(async () => {
  await t.close();
  await s3.close();
});

const textFile = (content: string) => ({ name: "file", filename: "a.txt", content });
const attachmentsOf = async () => `${p.of(await p.create())}/attachments`;

async function attach(content: string) {
  s3.behave("work");
  const url = await attachmentsOf();
  const answer = await upload(p.admin, url, [textFile(content)]);
  assert.equal(answer.status, 201, answer.text);
  return `${url}/${answer.body.id}/download`;
}

for (const behavior of ["hang", "fail"] as const)
  test(`if the store ${behavior}s, uploads and downloads return 503 and are logged, and succeed when it works`, async () => {
    const download = await attach("hello");
    const url = await attachmentsOf();
    s3.behave(behavior);
    for (const send of [() => upload(p.admin, url, [textFile("x")]), () => p.admin.get(download)]) {
      const { status, headers } = await send();
      assert.deepEqual([status, headers["retry-after"]], [503, "1"]);
    }
    // At most once a second, so perhaps only in the first of these tests.
    assert.ok(lines.some((line) => line.includes("StorageUnavailable")));
    s3.behave("work");
    assert.equal((await p.admin.get(url)).body.length, 0);
    assert.equal((await p.admin.get(download)).text, "hello");
  });

for (const [what, content] of [
  ["small", "hello"],
  ["large", "x".repeat(3_000_000)],
] as const) {
  test(`if the store stops in the middle of a ${what} file, its download returns 503`, async () => {
    const download = await attach(content);
    s3.behave("stop");
    assert.equal((await p.admin.get(download)).status, 503);
  });

  test(`if the store returns a ${what} file with a flipped bit, its download returns 502 and is logged`, async () => {
    const download = await attach(content);
    s3.behave("lie");
    const before = lines.length;
    const { status, body } = await p.admin.get(download);
    assert.deepEqual([status, typeof body.message], [502, "string"]);
    assert.ok(lines.slice(before).some((line) => /the stored file [0-9a-f-]{36} differs/.test(line)));
    s3.behave("work");
    assert.equal((await p.admin.get(download)).text, content);
  });
}

async function flipBit(app: TestApp, key: string) {
  const file = path.join(app.dataDir, "attachments", key.slice(0, 2), key);
  const content = await readFile(file);
  content[0] = (content[0] as number) ^ 1;
  await writeFile(file, content);
}

test("doctor names attachments and pictures whose files were damaged on the disk, and they return 502", async () => {
  const app = await openTestApp();
  const reports = await openReports(app);
  const url = `${reports.of(await reports.create())}/attachments`;
  const attachment = await upload(reports.admin, url, [textFile("hello")]);
  const files = async () =>
    (await checkContents(app.database.url, app.storage)).find(({ what }) => what === "contents");
  assert.deepEqual((await files())?.level, "ok");
  const [key] = await storedKeys(app);
  await flipBit(app, key as string);
  const finding = await files();
  assert.equal(finding?.level, "fail");
  assert.match(finding?.text ?? "", new RegExp(`attachment ${attachment.body.id} \\(${key}\\)`));
  assert.equal((await reports.admin.get(`${url}/${attachment.body.id}/download`)).status, 502);

  const picture = await upload(reports.admin, "/api/profile/picture", [
    { name: "file", filename: "me.png", content: await png() },
  ]);
  const address = picture.body.profile_picture.webp;
  assert.equal((await reports.admin.get(address)).status, 200);
  for (const stored of await storedKeys(app)) if (stored !== key) await flipBit(app, stored);
  assert.equal((await reports.admin.get(address)).status, 502);
  assert.match(String((await files())?.text), /3 are damaged: .*picture of user/);
  await app.close();
});

test("a source map is kept in the store and found there, and its upload returns 503 while the store fails", async () => {
  s3.behave("work");
  const project = await openProject(t, await makeWorkspace(t.db));
  const url = `/api/projects/${project.id}/releases/1.4.2/artifacts`;
  const map = { version: 3, sources: ["cart.ts"], sourcesContent: ["total();"], names: [], mappings: "AAAA" };
  const send = () =>
    upload(project.sender, url, [
      { name: "files[0]", filename: "~/app.js.map", content: JSON.stringify(map) },
    ]);
  s3.behave("fail");
  assert.equal((await send()).status, 503);
  assert.equal((await project.admin.get(url)).status, 404);
  s3.behave("work");
  const before = await storedKeys(t);
  assert.equal((await send()).status, 201);
  assert.equal((await storedKeys(t)).length, before.length + 1);
  const group = await project.first({
    release: "1.4.2",
    stack_trace: "Error: no\n    at t (https://shop.test/app.js:1:1)",
  });
  const { body } = await project.admin.get(`${project.groups}/${group.id}/events/latest`);
  assert.equal(body.frames[0].original.context_line, "total();");
});
