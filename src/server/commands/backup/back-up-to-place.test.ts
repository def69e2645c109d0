import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import type { Readable } from "node:stream";
import { after, before, test } from "node:test";
import { GetObjectCommand } from "@aws-sdk/client-s3";
import { waitUntil } from "../../../../test/support/eventually.ts";
import { type FakeS3, startFakeS3 } from "../../../../test/support/fake-s3.ts";
import { makeUser } from "../../../../test/support/make.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import { readConfig } from "../../config/config.ts";
import { StartError } from "../../config/start-error.ts";
import type { S3Settings } from "../../config/storage-url.ts";
import { makeS3Client } from "../../files/storage/s3-client.ts";
import { checkArchive } from "./archive-reader.ts";
import { backUpToPlace } from "./back-up-to-place.ts";
import { makeBackup } from "./make-backup.ts";
import { S3Place } from "./s3-place.ts";

const t = await useTestApp();
await makeUser(t.db);

let folder: string;
let s3: FakeS3;
let s3Url: string;
before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "signalbox-places-"));
  s3 = await startFakeS3();
  s3Url = `s3://backups/signalbox?endpoint=http://127.0.0.1:${s3.port}&region=eu-central-1`;
});
after(async () => {
  await s3.close();
  await rm(folder, { recursive: true, force: true });
});

const settingsOf = (url: string, keep: number) => {
  const AWS = { AWS_ACCESS_KEY_ID: "key", AWS_SECRET_ACCESS_KEY: "secret" };
  const { backup } = readConfig({ BACKUP_URL: url, BACKUP_KEEP: String(keep), ...AWS }, "/");
  assert.ok(backup);
  return backup;
};

const warnings: string[] = [];
const work = () => ({
  url: t.database.url,
  storage: t.storage,
  progress: { update: () => {}, end: () => {} },
  warn: (message: string) => void warnings.push(message),
});
const at = (day: number) => new Date(Date.UTC(2026, 10, day, 3, 30));
const nameOf = (day: number) => `signalbox-2026-11-${String(day).padStart(2, "0")}T03-30-00Z.backup`;

test("a folder keeps the newest backups, and other files stay", async () => {
  const backups = path.join(folder, "nightly");
  const settings = settingsOf(backups, 2);
  for (const day of [1, 2]) await backUpToPlace({ ...work(), settings, now: at(day) });
  await writeFile(path.join(backups, "signalbox.backup"), "mine");
  const leftover = path.join(backups, `${nameOf(2)}.part`);
  await writeFile(leftover, "left over by a killed process");
  await utimes(leftover, at(1), at(1));
  const { destination, rows } = await backUpToPlace({ ...work(), settings, now: at(3) });
  assert.equal(destination, path.join(backups, nameOf(3)));
  assert.ok(rows > 0);
  assert.deepEqual((await readdir(backups)).sort(), ["signalbox.backup", nameOf(2), nameOf(3)].sort());
  await checkArchive(destination);
  assert.deepEqual(warnings, []);
});

test("a backup that fails or is stopped leaves nothing behind and removes no other backup", async () => {
  const backups = path.join(folder, "failing");
  const settings = settingsOf(backups, 1);
  await backUpToPlace({ ...work(), settings, now: at(1) });
  const unreachable = { ...work(), url: "postgres://127.0.0.1:1/none", warn: () => {} };
  await assert.rejects(backUpToPlace({ ...unreachable, settings, now: at(2) }), StartError);
  const stopping = new AbortController();
  const progress = { update: () => stopping.abort(new Error("stopping")), end: () => {} };
  await assert.rejects(
    backUpToPlace({ ...work(), settings, progress, signal: stopping.signal, now: at(3) }),
    /stopping/,
  );
  assert.deepEqual(await readdir(backups), [nameOf(1)]);
});

for (const stage of ["begins", "sends the data of"] as const)
  test(`a backup that is stopped while a slow store ${stage} its upload ends without waiting for the store`, async () => {
    const store = await startFakeS3();
    const stopping = new AbortController();
    const progress = { update: () => store.behave("hang"), end: () => {} };
    if (stage === "begins") store.behave("hang");
    const settings = { ...settingsOf(s3Url, 1), place: store.settings };
    const backup = backUpToPlace({ ...work(), settings, progress, signal: stopping.signal });
    const outcome = assert.rejects(backup, /stopping/);
    await waitUntil(async () => store.hanging() > 0);
    stopping.abort(new Error("stopping"));
    await outcome;
    await store.close();
  });

test("an S3-compatible store keeps the newest backups, which are complete", async () => {
  const settings = settingsOf(s3Url, 2);
  for (const day of [1, 2, 3]) await backUpToPlace({ ...work(), settings, now: at(day) });
  const place = new S3Place(settings.place as S3Settings);
  assert.deepEqual((await place.list()).sort(), [nameOf(2), nameOf(3)]);
  place.close();
  assert.deepEqual(warnings, []);
});

test("a backup of several parts is put together, and one that is discarded does not appear", async () => {
  const place = new S3Place(settingsOf(s3Url, 1).place as S3Settings, 500);
  const address = place.addressOf(nameOf(9));
  assert.equal(address, `s3://backups/signalbox/${nameOf(9)}`);
  await makeBackup({ ...work(), output: await place.open(nameOf(9)), destination: address });
  const client = makeS3Client(settingsOf(s3Url, 1).place as S3Settings, 5_000);
  const { Body } = await client.send(
    new GetObjectCommand({ Bucket: "backups", Key: `signalbox/${nameOf(9)}` }),
  );
  const copy = path.join(folder, "copy");
  await writeFile(copy, await buffer(Body as Readable));
  assert.ok((await readFile(copy)).length > 1_500);
  await checkArchive(copy);
  const discarded = await place.open(nameOf(10));
  discarded.stream.write(Buffer.alloc(2_000));
  await discarded.discard();
  assert.ok(!(await place.list()).includes(nameOf(10)));
  client.destroy();
  place.close();
});

test("a store that cannot be reached fails in one line", async () => {
  const settings = settingsOf("s3://backups/x?endpoint=http://127.0.0.1:1", 1);
  await assert.rejects(
    backUpToPlace({ ...work(), settings }),
    (error: Error) =>
      error instanceof StartError &&
      /^s3:\/\/backups\/x\/signalbox-\S+ cannot be written: [^\n]+$/.test(error.message),
  );
});
