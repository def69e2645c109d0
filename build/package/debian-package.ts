import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { chmod, cp, mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { V8_FLAGS } from "../v8-flags.ts";
import type { Platform } from "./platforms.ts";

const ROOT = path.join(import.meta.dirname, "../..");
const SOURCES = path.join(ROOT, "deploy/debian");
const run = promisify(execFile);

type Options = { platform: Platform; version: string; output: string; work: string };

/** Writes a package for Debian with the same program, and a service for systemd. Moves the folder of the program. */
export async function writeDebianPackage(program: string, options: Options): Promise<string> {
  const { platform, version, output, work } = options;
  const root = path.join(work, `${platform.name}-debian`);
  for (const folder of [
    "DEBIAN",
    "etc/default",
    "lib/systemd/system",
    "usr/bin",
    "usr/lib",
    "usr/share/doc/signalbox",
  ])
    await mkdir(path.join(root, folder), { recursive: true });
  await moveProgram(program, path.join(root, "usr/lib/signalbox"));
  await copyText("signalbox", path.join(root, "usr/bin/signalbox"), { V8_FLAGS: V8_FLAGS.join(" ") });
  await chmod(path.join(root, "usr/bin/signalbox"), 0o755);
  await cp(path.join(SOURCES, "default"), path.join(root, "etc/default/signalbox"));
  await cp(path.join(SOURCES, "signalbox.service"), path.join(root, "lib/systemd/system/signalbox.service"));
  await writeDocuments(path.join(root, "usr/share/doc/signalbox"));
  await writeControl(root, { version, architecture: platform.debian });

  const file = path.join(output, `signalbox_${version}_${platform.debian}.deb`);
  // gzip, because xz takes minutes.
  await run("dpkg-deb", ["--root-owner-group", "-Zgzip", "-z6", "--build", root, `${file}.partial`]);
  await rename(`${file}.partial`, file);
  await rm(root, { recursive: true });
  return file;
}

/** The package depends on Debian's C library, and dpkg unpacks it. */
async function moveProgram(program: string, target: string): Promise<void> {
  await rename(program, target);
  for (const name of ["glibc", "install.mjs"]) await rm(path.join(target, name), { recursive: true });
  await writeFile(path.join(target, "defaults.env"), "DATA_DIR=/var/lib/signalbox\n");
}

async function writeDocuments(folder: string): Promise<void> {
  const read = (file: string) => readFile(path.join(ROOT, file), "utf8");
  const others = "The licenses of what it contains are in /usr/lib/signalbox/THIRD-PARTY-LICENSES.txt.\n";
  await writeFile(path.join(folder, "copyright"), `${await read("LICENSE")}\n${others}`);
  await writeFile(path.join(folder, "changelog.gz"), gzipSync(await read("CHANGELOG.md"), { level: 9 }));
}

async function writeControl(root: string, values: { version: string; architecture: string }): Promise<void> {
  const control = path.join(root, "DEBIAN");
  const files = await filesIn(root);
  const sizes = await Promise.all(files.map((file) => stat(path.join(root, file))));
  await copyText("control", path.join(control, "control"), {
    VERSION: values.version,
    ARCHITECTURE: values.architecture,
    INSTALLED_KB: String(Math.ceil(sizes.reduce((sum, { size }) => sum + size, 0) / 1024)),
  });
  await writeFile(path.join(control, "conffiles"), "/etc/default/signalbox\n");
  for (const script of ["postinst", "prerm", "postrm"]) {
    await cp(path.join(SOURCES, script), path.join(control, script));
    await chmod(path.join(control, script), 0o755);
  }
  const sums = [];
  for (const file of files) sums.push(`${await md5Of(path.join(root, file))}  ${file}\n`);
  await writeFile(path.join(control, "md5sums"), sums.join(""));
}

async function filesIn(root: string): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
    .filter((file) => !file.startsWith("DEBIAN/") && !file.startsWith("etc/"));
}

async function md5Of(file: string): Promise<string> {
  const digest = createHash("md5");
  await pipeline(createReadStream(file), digest);
  return digest.digest("hex");
}

async function copyText(source: string, target: string, values: Record<string, string>): Promise<void> {
  const text = await readFile(path.join(SOURCES, source), "utf8");
  await writeFile(
    target,
    text.replaceAll(/@([A-Z0-9_]+)@/g, (name, key: string) => values[key] ?? name),
  );
}
