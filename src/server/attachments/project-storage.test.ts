import assert from "node:assert/strict";
import { test } from "node:test";
import { storedKeys } from "../../../test/support/files.ts";
import { upload } from "../../../test/support/multipart.ts";
import { openReports } from "../../../test/support/reports.ts";
import { openTestApp, useTestApp } from "../../../test/support/test-app.ts";

const t = await useTestApp({ PROJECT_STORAGE_MB: "1" });
const KB = 1024;
const file = (kilobytes: number) => [
  { name: "file", filename: "log.txt", content: "x".repeat(kilobytes * KB) },
];

test("the storage of a project is the size of its attachments, and a deleted report frees it", async () => {
  const p = await openReports(t);
  const storage = async () => (await p.admin.get(`/api/projects/${p.id}/storage`)).body;
  assert.deepEqual(await storage(), { bytes: 0, quota: KB * KB });
  const [one, two] = [await p.create(), await p.create()];
  for (const report of [one, one, two])
    assert.equal((await upload(p.admin, `${p.of(report)}/attachments`, file(100))).status, 201);
  assert.deepEqual(await storage(), { bytes: 300 * KB, quota: KB * KB });
  assert.equal((await p.admin.delete(p.of(one))).status, 204);
  assert.deepEqual(await storage(), { bytes: 100 * KB, quota: KB * KB });
});

test("files beyond a project's quota return 422 and are not stored, even if they are uploaded concurrently", async () => {
  const p = await openReports(t);
  const report = await p.create();
  const before = (await storedKeys(t)).length;
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => upload(p.admin, `${p.of(report)}/attachments`, file(300))),
  );
  const refused = answers.filter(({ status }) => status === 422);
  assert.deepEqual([answers.filter(({ status }) => status === 201).length, refused.length], [3, 2]);
  for (const { body } of refused)
    assert.deepEqual(body.errors, {
      file: [
        "exceeds the storage quota of the project: delete attachments, reports with attachments, or source maps first",
      ],
    });
  assert.equal((await storedKeys(t)).length, before + 3);
  const other = await openReports(t);
  const fine = await upload(other.admin, `${other.of(await other.create())}/attachments`, file(300));
  assert.equal(fine.status, 201, "another project has its own quota");
});

test("without the setting there is no quota", async () => {
  const plain = await openTestApp();
  try {
    const p = await openReports(plain);
    assert.deepEqual((await p.admin.get(`/api/projects/${p.id}/storage`)).body, { bytes: 0, quota: null });
  } finally {
    await plain.close();
  }
});
