import { cp, mkdir, mkdtemp, readdir, realpath, rm } from "node:fs/promises";
import path from "node:path";
import { unpackDebianPackages } from "./debian-files.ts";
import type { Platform } from "./platforms.ts";

/** The libraries that Node, PostgreSQL and sharp need, apart from those that come with them. */
const LIBRARIES = [
  "libc.so.6",
  "libm.so.6",
  "libdl.so.2",
  "libpthread.so.0",
  "librt.so.1",
  "libresolv.so.2",
  "libstdc++.so.6",
  "libgcc_s.so.1",
];

const PACKAGES = ["libc6", "libstdc++6", "libgcc-s1"];

/**
 * Copies the GNU C and C++ libraries of Debian, and their loader as `loader`. Machines that lack them, such as those with Alpine, run
 * everything on these.
 */
export async function collectGlibc(platform: Platform, target: string, downloads: string): Promise<void> {
  const unpacked = await mkdtemp(path.join(downloads, "glibc-"));
  await unpackDebianPackages(platform.debian, PACKAGES, { target: unpacked, downloads });
  await mkdir(target);
  const files = await readdir(unpacked, { recursive: true });
  const find = async (name: string | RegExp) => {
    const file = files.find((each) =>
      typeof name === "string" ? path.basename(each) === name : name.test(path.basename(each)),
    );
    if (file === undefined) throw new Error(`${PACKAGES.join(", ")} have no ${name.toString()}.`);
    return realpath(path.join(unpacked, file));
  };
  for (const name of LIBRARIES) await cp(await find(name), path.join(target, name));
  await cp(await find(/^ld-linux-.*\.so\.\d+$/), path.join(target, "loader"));
  await rm(unpacked, { recursive: true });
}
