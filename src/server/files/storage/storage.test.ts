import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { after, before, describe, test } from "node:test";
import { type FakeS3, type S3Objects, startFakeS3 } from "../../../../test/support/fake-s3.ts";
import { png } from "../../../../test/support/images.ts";
import { rowKeys, storedKeys } from "../../../../test/support/files.ts";
import { upload } from "../../../../test/support/multipart.ts";
import { openReports } from "../../../../test/support/reports.ts";
import { openTestApp } from "../../../../test/support/test-app.ts";
import { readConfig } from "../../config/config.ts";
import { removeDeletedFiles } from "./remove-deleted-files.ts";
import { sweepFiles } from "./sweep-files.ts";
import { openStorage } from "./open-storage.ts";
import { newKey, type Storage } from "./storage.ts";

let folder: string;
const objects: S3Objects = new Map();
let s3: FakeS3;
let s3Settings: Record<string, string>;
before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "signalbox-storage-"));
  s3 = await startFakeS3({ objects });
  s3Settings = {
    STORAGE_URL: `s3://signalbox/files?endpoint=http://127.0.0.1:${s3.port}&region=eu-central-1`,
    AWS_ACCESS_KEY_ID: "key",
    AWS_SECRET_ACCESS_KEY: "secret",
  };
});
after(async () => {
  await s3.close();
  await rm(folder, { recursive: true, force: true });
});

async function temporary(content: Buffer | string): Promise<string> {
  const file = path.join(folder, newKey());
  await writeFile(file, content);
  return file;
}

async function read(storage: Storage, key: string): Promise<Buffer | undefined> {
  const stream = await storage.open(key);
  return stream && buffer(stream);
}

async function keysOf(storage: Storage): Promise<string[]> {
  return storedKeys({ storage });
}

for (const kind of ["a folder", "an S3-compatible store"] as const)
  describe(`storage in ${kind}`, () => {
    let storage: Storage;
    before(async () => {
      const settings = kind === "a folder" ? { DATA_DIR: folder } : s3Settings;
      storage = await openStorage(readConfig(settings, "/"));
    });
    after(() => storage.close());

    test("returns stored files of any size until they are removed", async () => {
      for (const content of [Buffer.alloc(0), Buffer.from("hello"), randomBytes(3_000_000)]) {
        const key = newKey();
        await storage.put(key, await temporary(content));
        assert.deepEqual(await read(storage, key), content);
        await storage.remove(key);
        assert.equal(await read(storage, key), undefined);
        await storage.remove(key);
      }
    });

    test("lists every stored file with the time it was stored, and nothing else", async () => {
      assert.deepEqual(await keysOf(storage), []);
      const keys = [newKey(), newKey(), newKey()];
      for (const key of keys) await storage.put(key, await temporary(key));
      assert.deepEqual(await keysOf(storage), keys.toSorted());
      for await (const { storedAt } of storage.list())
        assert.ok(Math.abs(Date.now() - storedAt.getTime()) < 60_000);
      for (const key of keys) await storage.remove(key);
    });

    test("a file that cannot be read is not stored", async () => {
      const key = newKey();
      await assert.rejects(storage.put(key, path.join(folder, "missing")));
      assert.equal(await read(storage, key), undefined);
    });
  });

test("the folder rejects keys in any other format", async () => {
  const storage = await openStorage({ dataDir: folder, storage: undefined });
  for (const key of ["../secret", "a/b", "", "..", `${newKey()}/../x`]) {
    await assert.rejects(storage.open(key), /is not a key/);
    await assert.rejects(storage.put(key, await temporary("x")), /is not a key/);
    await assert.rejects(storage.remove(key), /is not a key/);
  }
});

test("attachments work in an S3-compatible store as in a folder", async () => {
  const t = await openTestApp(s3Settings);
  try {
    const p = await openReports(t);
    const answer = await upload(p.token, p.reports, [
      { name: "title", value: "Broken" },
      { name: "description", value: "See picture" },
      { name: "files[0]", filename: "a.png", content: await png() },
      { name: "files[1]", filename: "b.png", content: await png() },
    ]);
    assert.equal(answer.status, 201, answer.text);
    const url = `${p.of(answer.body)}/attachments`;
    const [attachment] = (await p.admin.get(url)).body;
    const download = await p.admin.get(`${url}/${attachment.id}/download`);
    assert.equal(download.headers["content-length"], String(attachment.size));
    assert.match(download.text, /^RIFF/);
    assert.equal((await storedKeys(t)).length, 2);
    assert.deepEqual(await storedKeys(t), await rowKeys(t));
    assert.equal((await p.admin.delete(p.of(answer.body))).status, 204);
    assert.deepEqual(await storedKeys(t), []);
  } finally {
    await t.close();
  }
});

test("if the store is down, an upload fails without leaving a row, and a deletion is completed later", async () => {
  const t = await openTestApp(s3Settings);
  try {
    const p = await openReports(t);
    const url = `${p.of(await p.create())}/attachments`;
    const file = { name: "file", filename: "a.txt", content: "x" };
    assert.equal((await upload(p.admin, url, [file])).status, 201);
    await s3.close();
    assert.equal((await upload(p.admin, url, [file])).status, 503);
    assert.equal((await p.admin.get(url)).body.length, 1);
    assert.equal((await p.admin.delete(url.slice(0, url.lastIndexOf("/")))).status, 204);
    s3 = await startFakeS3({ objects, port: s3.port });
    assert.equal((await storedKeys(t)).length, 1);
    assert.equal(await removeDeletedFiles(t.db, t.storage), 1);
    assert.deepEqual(await storedKeys(t), []);
    assert.equal(await removeDeletedFiles(t.db, t.storage), 0);
  } finally {
    await t.close();
  }
});

test("the storage URL is parsed with its prefix, or rejected with one clear line", () => {
  const of = (STORAGE_URL: string, more: Record<string, string> = {}) =>
    readConfig({ STORAGE_URL, ...more }, "/").storage;
  const amazon = { bucket: "files", prefix: "", endpoint: undefined, region: "us-east-1" };
  assert.deepEqual(of("s3://files"), amazon);
  assert.deepEqual(of("s3://files/a/b/", { AWS_REGION: "eu-west-1" }), {
    ...amazon,
    prefix: "a/b/",
    region: "eu-west-1",
  });
  assert.deepEqual(
    of("s3://files?endpoint=https://s3.example.com&region=x", {
      AWS_REGION: "y",
      AWS_ACCESS_KEY_ID: "k",
      AWS_SECRET_ACCESS_KEY: "s",
    }),
    {
      ...amazon,
      endpoint: "https://s3.example.com",
      region: "x",
      credentials: { accessKeyId: "k", secretAccessKey: "s" },
    },
  );
  assert.equal(readConfig({}, "/").storage, undefined);
  for (const wrong of [
    "files",
    "https://files",
    "s3://",
    "s3://Files_1",
    "s3://key:secret@files",
    "s3://files?endpoint=s3.example.com",
    "s3://files?endpoint=ftp://s3.example.com",
    "s3://files?bucket=x",
    "s3://files/%zz",
  ])
    assert.throws(() => of(wrong), { name: "Error", message: /^STORAGE_URL (must|has)[^\n]*$/ }, wrong);
});

test("the sweep removes only files that are older than an hour and belong to no attachment", async () => {
  const t = await openTestApp();
  try {
    const p = await openReports(t);
    const url = `${p.of(await p.create())}/attachments`;
    await upload(p.admin, url, [{ name: "file", filename: "a.txt", content: "x" }]);
    const [kept] = await rowKeys(t);
    const orphans = [newKey(), newKey()] as [string, string];
    for (const key of orphans) {
      const file = path.join(t.dataDir, "orphan");
      await writeFile(file, "x");
      await t.storage.put(key, file);
    }
    const age = async (key: string, hours: number) => {
      const time = new Date(Date.now() - hours * 3_600_000);
      await utimes(path.join(t.dataDir, "attachments", key.slice(0, 2), key), time, time);
    };
    await age(kept as string, 5);
    await age(orphans[0], 1.1);
    await age(orphans[1], 0.9);
    const { outcome, files, removed } = await sweepFiles(t.db, t.storage);
    assert.deepEqual({ outcome, files, removed }, { outcome: "done", files: 2, removed: 1 });
    assert.deepEqual(await storedKeys(t), [kept, orphans[1]].toSorted());
    assert.equal((await p.admin.get(url)).body.length, 1);
  } finally {
    await t.close();
  }
});

test("the sweep refuses to empty a storage whose files are unknown to the database", async () => {
  const t = await openTestApp();
  try {
    for (let n = 0; n < 101; n++) {
      const file = path.join(t.dataDir, "orphan");
      await writeFile(file, "x");
      await t.storage.put(newKey(), file);
    }
    const later = Date.now() + 2 * 3_600_000;
    const { outcome, removed, message } = await sweepFiles(t.db, t.storage, later);
    assert.deepEqual({ outcome, removed }, { outcome: "refused", removed: 0 });
    assert.match(message, /^101 of 101 stored files belong to no attachment/);
    assert.equal((await storedKeys(t)).length, 101);
    await t.storage.remove((await storedKeys(t))[0] as string);
    assert.equal((await sweepFiles(t.db, t.storage, later)).removed, 100);
  } finally {
    await t.close();
  }
});
