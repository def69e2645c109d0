import assert from "node:assert/strict";
import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { readFile } from "node:fs/promises";
import { describe, test } from "node:test";
import { isAlive } from "../support/program.ts";
import { PACKAGE } from "./packaged-program.ts";
import { fakeVersion, newerVersion, run, writeRelease } from "./packaged-versions.ts";
import { assertNewVersion, assertOldVersion, makeSite } from "./upgrade-site.ts";

const NEVER_READY = 'while [ -d "$DATA_DIR" ]; do sleep 0.1; done';

describe("signalbox upgrade", () => {
  test("replaces a running server by the new version and keeps its data", async (t) => {
    const site = await makeSite(t);
    const release = await writeRelease(site, newerVersion);
    const { code, output } = await run(site, ["upgrade", release]).ended;
    assert.equal(code, 0, output);
    assert.match(output, /Upgraded to /);
    await assertNewVersion(site);
  });

  test("rolls back a version that changes the database and is never ready", async (t) => {
    const site = await makeSite(t);
    const script = 'rm -r "$DATA_DIR/postgres/data/base"; ';
    const release = await writeRelease(site, fakeVersion(script + NEVER_READY));
    const { code, output } = await run(site, ["upgrade", release, "--wait", "5"]).ended;
    assert.equal(code, 1);
    assert.match(output, /was rolled back: .* is running again/);
    await assertOldVersion(site);
  });

  test("rolls back a version that exits at once", async (t) => {
    const site = await makeSite(t);
    const release = await writeRelease(site, fakeVersion("exit 1"));
    const { code } = await run(site, ["upgrade", release, "--wait", "5"]).ended;
    assert.equal(code, 1);
    await assertOldVersion(site);
  });

  test("changes nothing when it refuses a file", async (t) => {
    const site = await makeSite(t);
    const { privateKey: otherKey } = generateKeyPairSync("ed25519");
    const cases: [RegExp, string | Buffer, KeyObject?][] = [
      [/is not a signature of this file by the key/, newerVersion, otherKey],
      [/is not a Signalbox file/, "#!/bin/sh\n"],
      [/is for plan9-mips, but this is/, fakeVersion("exit 1", { platform: "plan9-mips" })],
      [/only supports schemas up to 1,/, fakeVersion("exit 1", { schema: "1" })],
      [/This is already version/, await readFile(PACKAGE)],
      [
        /does not run here: no such library/,
        fakeVersion("").replace("exit 0", "{ echo no such library >&2; exit 1; }"),
      ],
    ];
    for (const [reason, content, signingKey] of cases) {
      const { code, output } = await run(site, ["upgrade", await writeRelease(site, content, signingKey)])
        .ended;
      assert.equal(code, 1, output);
      assert.match(output, reason);
      assert.ok(isAlive(site.server.pid));
      await assertOldVersion(site);
    }
  });
});
