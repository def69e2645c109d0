import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import {
  appendFile,
  chmod,
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { unpackDebianPackages } from "../../build/package/debian-files.ts";
import { SETUP_TOKEN } from "../support/over-http.ts";
import { useEveryPart } from "../support/use-every-part.ts";
import { makePlace, PACKAGE, runProgram, waitUntilReady, type Place } from "./packaged-program.ts";

/** What a machine has that the file needs: a shell and the usual tools, and an account for PostgreSQL. */
type Machine = { title: string; packages: string[]; complete: (root: string) => Promise<void> };

const MACHINES: Machine[] = [
  {
    title: "a bare Debian",
    packages: (
      "libc6 libstdc++6 libgcc-s1 gcc-12-base libselinux1 libpcre2-8-0 libacl1 libattr1 libgmp10 " +
      "dash coreutils sed tar gzip findutils"
    ).split(" "),
    complete: (root) => link("dash", path.join(root, "bin/sh")),
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
      root = await makeRoot(machine);
      place = await makePlace();
    });
    after(async () => {
      await place.remove();
      await rm(root, { recursive: true, force: true });
    });

    /** Runs the file in the root, with a file system of processes and with devices, which go with the process. */
    const runThere = (...args: string[]) => {
      const mounts = 'mount --rbind /dev "$0/dev" && mount -t proc proc "$0/proc" && exec chroot "$0" "$@"';
      const { PATH = "" } = process.env;
      return runProgram(["unshare", "--mount", "sh", "-c", mounts, root, "/usr/bin/signalbox", ...args], {
        cwd: "/",
        env: { PATH, DATA_DIR: "/srv/data", PORT: String(place.port), SETUP_TOKEN },
      });
    };

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

async function makeRoot({ packages, complete }: Machine): Promise<string> {
  const root = await mkdtemp(path.join(tmpdir(), "signalbox-root-"));
  // PostgreSQL's account enters it.
  await chmod(root, 0o755);
  const downloads = await mkdtemp(path.join(tmpdir(), "signalbox-downloads-"));
  const architecture = execFileSync("dpkg", ["--print-architecture"], { encoding: "utf8" }).trim();
  await unpackDebianPackages(architecture, packages, { target: root, downloads });
  await rm(downloads, { recursive: true });
  for (const folder of ["dev", "proc", "tmp", "etc", "srv", "usr/bin"])
    await mkdir(path.join(root, folder), { recursive: true });
  await chmod(path.join(root, "tmp"), 0o1777);
  const accounts = ["root:x:0:0:root:/root:/bin/sh", "nobody:x:65534:65534:nobody:/nonexistent:/bin/false"];
  await writeFile(path.join(root, "etc/passwd"), `${accounts.join("\n")}\n`);
  await appendFile(path.join(root, "etc/hosts"), "127.0.0.1 localhost\n");
  await complete(root);
  await copyFile(PACKAGE, path.join(root, "usr/bin/signalbox"));
  return root;
}

async function link(target: string, file: string): Promise<void> {
  if (!existsSync(file)) await symlink(target, file);
}
