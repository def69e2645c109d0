import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { V8_FLAGS } from "../../build/v8-flags.ts";
import { debianPackage } from "./packaged-program.ts";

const ROOT = path.join(import.meta.dirname, "../..");
const file = debianPackage();
const read = (...args: string[]) =>
  execFileSync("dpkg-deb", [...args, file], { encoding: "utf8", maxBuffer: 64 * 1024 ** 2 });

test("the package for Debian contains the program, a command, a service and its settings, owned by root", () => {
  const lines = read("--contents").trim().split("\n");
  const names = lines.map((line) => line.split(/\s+/)[5]);
  for (const name of [
    "./usr/bin/signalbox",
    "./usr/lib/signalbox/bin/node",
    "./usr/lib/signalbox/THIRD-PARTY-LICENSES.txt",
    "./lib/systemd/system/signalbox.service",
    "./etc/default/signalbox",
    "./usr/share/doc/signalbox/copyright",
  ])
    assert.ok(names.includes(name), name);
  assert.ok(lines.every((line) => / root\/root /.test(line)));
  // dpkg unpacks it, and Debian has the C library.
  assert.ok(names.every((name) => !/install\.mjs|\/glibc\//.test(name ?? "")));
});

test("the package for Debian keeps changed settings, and depends on what the program needs", () => {
  assert.match(read("--field"), /^Depends: libc6 \(>= 2\.28\), libstdc\+\+6, libgcc-s1, /m);
  const conffiles = execFileSync("dpkg-deb", ["--info", file, "conffiles"], { encoding: "utf8" });
  assert.equal(conffiles, "/etc/default/signalbox\n");
});

test("the command of the package for Debian starts Node with the flags of the other installations", () => {
  const command = execFileSync("sh", [
    "-c",
    'dpkg-deb --fsys-tarfile "$0" | tar -xO ./usr/bin/signalbox',
    file,
  ]);
  assert.ok(command.toString().includes(` ${V8_FLAGS.join(" ")} `));
});

const hasSystemd = spawnSync("systemd-analyze", ["--version"]).status === 0;

test(
  "systemd reads every line of the services",
  { skip: !hasSystemd && "needs systemd-analyze" },
  async (t) => {
    const folder = await mkdtemp(path.join(tmpdir(), "signalbox-service-"));
    t.after(() => rm(folder, { recursive: true }));
    const manual = await readFile(path.join(ROOT, "docs/installing.md"), "utf8");
    const services = {
      package: await readFile(path.join(ROOT, "deploy/debian/signalbox.service"), "utf8"),
      manual: /```ini\n(\[Unit\][^`]+)```/.exec(manual)?.[1] ?? "",
    };
    for (const [name, text] of Object.entries(services)) {
      const file = path.join(folder, `signalbox-${name}.service`);
      // systemd-analyze requires a program that exists, and an account that exists.
      const checked = text
        .replace(/^ExecStart=\S+/m, "ExecStart=/bin/true")
        .replace(/=signalbox$/gm, "=root");
      assert.match(checked, /^ExecStart=\/bin\/true serve$/m);
      await writeFile(file, checked);
      const { stderr } = spawnSync("systemd-analyze", ["verify", "--man=no", file], { encoding: "utf8" });
      assert.doesNotMatch(stderr, new RegExp(`signalbox-${name}`));
    }
  },
);
