import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFile, readdir, rm } from "node:fs/promises";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { SETUP_TOKEN } from "../support/over-http.ts";
import { useEveryPart } from "../support/use-every-part.ts";
import { DEBIAN_TOOLS, linkShell, makeRoot, runInRoot } from "./bare-root.ts";
import { makePlace, PACKAGE, waitUntilReady, type Place } from "./packaged-program.ts";

/** What a machine has that the file needs: a shell and the usual tools. */
type Machine = { title: string; packages: string[]; complete: (root: string) => Promise<void> };

const MACHINES: Machine[] = [
  {
    title: "a bare Debian",
    packages: DEBIAN_TOOLS,
    complete: linkShell,
  },
  {
    // Alpine itself cannot be installed from Debian's packages. Like it, this has musl and BusyBox, and neither glibc nor libstdc++.
    title: "a machine with musl and BusyBox, and without glibc,",
    packages: ["musl", "busybox-static"],
    complete: async (root) => void execFileSync("chroot", [root, "/bin/busybox", "--install", "-s", "/bin"]),
  },
];

for (const machine of MACHINES)
  describe(machine.title, { skip: process.getuid?.() === 0 ? false : "needs root" }, () => {
    let root: string;
    let place: Place;
    before(async () => {
      root = await makeRoot(machine.packages);
      await machine.complete(root);
      await copyFile(PACKAGE, path.join(root, "usr/bin/signalbox"));
      place = await makePlace();
    });
    after(async () => {
      await place.remove();
      await rm(root, { recursive: true, force: true });
    });

    const runThere = (...args: string[]) =>
      runInRoot(root, ["/usr/bin/signalbox", ...args], {
        DATA_DIR: "/srv/data",
        PORT: String(place.port),
        SETUP_TOKEN,
      });

    test("has neither Node nor a compiler", async () => {
      const files = await readdir(root, { recursive: true });
      const programs = files.filter((file) => /bin\/(node|npm|cc|gcc|python3)$/.test(file));
      assert.deepEqual(programs, []);
    });

    test("runs the file with its web app, workers and image conversion, and stops cleanly", async (t) => {
      const server = runThere("serve");
      t.after(() => server.kill("SIGKILL"));
      await waitUntilReady(place, server);
      const page = await fetch(place.url);
      assert.match(await page.text(), /<div id="app">/);
      await useEveryPart(place.url);
      const backup = await runThere("backup", "/srv/a.backup").ended;
      assert.equal(backup.code, 0, backup.output);
      server.kill("SIGTERM");
      const { code, output } = await server.ended;
      assert.equal(code, 0, output);
      const check = await runThere("backup", "--verify", "/srv/a.backup").ended;
      assert.match(check.output, /complete and undamaged/);
    });

    test("starts again on its data without unpacking again", async (t) => {
      const server = runThere("serve");
      t.after(() => server.kill("SIGKILL"));
      await waitUntilReady(place, server);
      server.kill("SIGTERM");
      const { code, output } = await server.ended;
      assert.equal(code, 0, output);
      assert.doesNotMatch(output, /Unpacking|First start|killed server/);
    });
  });
