import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, rm, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { eventually } from "../../../test/support/eventually.ts";
import { Uploads } from "./uploads.ts";

test("what crashes left behind is deleted at the start and every hour, and recent folders are kept", async (t) => {
  const folder = await mkdtemp(path.join(tmpdir(), "signalbox-uploads-"));
  const makeFolder = async (name: string, minutesOld: number) => {
    const made = path.join(folder, name);
    await mkdir(made);
    const time = new Date(Date.now() - minutesOld * 60_000);
    await utimes(made, time, time);
  };
  await makeFolder("old", 61);
  await makeFolder("recent", 59);
  t.mock.timers.enable({ apis: ["setInterval"] });
  const uploads = new Uploads(folder, 1_000);
  await uploads.startSweeping();
  assert.deepEqual(await readdir(folder), ["recent"]);
  await makeFolder("later", 61);
  t.mock.timers.tick(3_600_000);
  await eventually(() => readdir(folder), ["recent"]);
  uploads.stopSweeping();
  await rm(folder, { recursive: true });
});
