import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { SETUP_TOKEN } from "../support/over-http.ts";
import { DEBIAN_TOOLS, linkShell, makeRoot, runInRoot } from "./bare-root.ts";
import { debianPackage, makePlace, waitUntilReady, type Place } from "./packaged-program.ts";

/** dpkg, what it runs, and what the package depends on. There is no systemd. */
const PACKAGES = [
  ...DEBIAN_TOOLS,
  ...(
    "dpkg libmd0 libbz2-1.0 liblzma5 zlib1g libzstd1 libc-bin diffutils passwd libaudit1 libcap-ng0 libcrypt1 libpam0g " +
    "libsemanage2 libsepol2 libbsd0 util-linux"
  ).split(" "),
];

describe("the package for Debian", { skip: process.getuid?.() === 0 ? false : "needs root" }, () => {
  let root: string;
  let place: Place;
  before(async () => {
    root = await makeRoot(PACKAGES);
    await linkShell(root);
    await copyFile(debianPackage(), path.join(root, "srv/first.deb"));
    await writeSecondVersion(path.join(root, "srv/second.deb"));
    place = await makePlace();
  });
  after(async () => {
    await place.remove();
    await rm(root, { recursive: true, force: true });
  });

  const inRoot = (name: string) => path.join(root, name);
  const read = (name: string) => readFile(inRoot(name), "utf8");

  async function dpkg(...args: string[]): Promise<string> {
    const { code, output } = await runInRoot(root, ["dpkg", "--force-unsafe-io", ...args]).ended;
    assert.equal(code, 0, output);
    return output;
  }

  async function assertOwned(name: string, { user, mode }: { user: string; mode: number }): Promise<void> {
    const uid = new RegExp(`^${user}:x:(\\d+):`, "m").exec(await read("etc/passwd"))?.[1];
    const stats = await stat(inRoot(name));
    assert.deepEqual([String(stats.uid), stats.mode & 0o777], [uid, mode], name);
  }

  test("creates an account, a folder for its data, and settings that others cannot read", async () => {
    await dpkg("--install", "/srv/first.deb");
    assert.match(
      await read("etc/passwd"),
      /^signalbox:x:\d+:\d+::\/var\/lib\/signalbox:\/usr\/sbin\/nologin$/m,
    );
    await assertOwned("var/lib/signalbox", { user: "signalbox", mode: 0o711 });
    await assertOwned("etc/default/signalbox", { user: "root", mode: 0o640 });
    assert.match(await dpkg("--audit", "signalbox"), /^$/);
  });

  test("runs as its account when root enters its command", async (t) => {
    const env = { PORT: String(place.port), SETUP_TOKEN };
    const server = runInRoot(root, ["signalbox", "serve"], env);
    t.after(() => server.kill("SIGKILL"));
    await waitUntilReady(place, server);
    assert.match(await (await fetch(place.url)).text(), /<div id="app">/);
    server.kill("SIGTERM");
    const { code, output } = await server.ended;
    assert.equal(code, 0, output);
    await assertOwned("var/lib/signalbox/postgres/data", { user: "signalbox", mode: 0o700 });
  });

  test("keeps changed settings and the data in an upgrade, and removes the files of the old version", async () => {
    await writeFile(inRoot("etc/default/signalbox"), "PORT=8080\n");
    await dpkg("--install", "/srv/second.deb");
    assert.equal(await read("etc/default/signalbox"), "PORT=8080\n");
    await assertOwned("etc/default/signalbox", { user: "root", mode: 0o640 });
    assert.deepEqual(await readdir(inRoot("usr/lib/signalbox")), ["second"]);
    assert.ok(existsSync(inRoot("var/lib/signalbox/postgres/data/PG_VERSION")));
  });

  test("keeps the settings and the data when it is removed", async () => {
    await dpkg("--remove", "signalbox");
    assert.ok(!existsSync(inRoot("usr/bin/signalbox")));
    assert.equal(await read("etc/default/signalbox"), "PORT=8080\n");
    assert.ok(existsSync(inRoot("var/lib/signalbox/postgres/data/PG_VERSION")));
  });

  test("removes the settings when it is purged, and says where the data is", async () => {
    assert.match(await dpkg("--purge", "signalbox"), /data of Signalbox is still in \/var\/lib\/signalbox/);
    assert.ok(!existsSync(inRoot("etc/default/signalbox")));
    assert.ok(existsSync(inRoot("var/lib/signalbox/postgres/data/PG_VERSION")));
  });
});

/** The same package with a higher version, and one small file in place of the program. */
async function writeSecondVersion(file: string): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), "signalbox-second-"));
  execFileSync("dpkg-deb", ["--control", debianPackage(), path.join(folder, "DEBIAN")]);
  const parts = ["./etc", "./lib", "./usr/bin"];
  const unpack = 'dpkg-deb --fsys-tarfile "$0" | tar -x -C "$@"';
  execFileSync("sh", ["-c", unpack, debianPackage(), folder, ...parts]);
  const control = path.join(folder, "DEBIAN/control");
  await writeFile(control, (await readFile(control, "utf8")).replace(/^Version: .*$/m, "Version: 99.0.0"));
  await rm(path.join(folder, "DEBIAN/md5sums"));
  await mkdir(path.join(folder, "usr/lib/signalbox"), { recursive: true });
  await writeFile(path.join(folder, "usr/lib/signalbox/second"), "");
  execFileSync("dpkg-deb", ["--root-owner-group", "-Zgzip", "--build", folder, file]);
  await rm(folder, { recursive: true });
}
