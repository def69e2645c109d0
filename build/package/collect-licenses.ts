import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { unpackDebianPackages } from "./debian-files.ts";
import { filesOf, readLock, type LockedPackage } from "./locked-packages.ts";

const ROOT = path.join(import.meta.dirname, "../..");

/**
 * Packages of Debian with the licenses of what is in the program as binaries: the C and C++ libraries, PostgreSQL, and the libraries
 * that PostgreSQL's package contains.
 */
const DEBIAN_PACKAGES = [
  "libc6",
  "gcc-12-base",
  "libpq5",
  "libssl3",
  "libicu72",
  "libxml2",
  "zlib1g",
  "liblzma5",
];

type Parts = { packages: LockedPackage[]; node: string; downloads: string };

/** Writes `THIRD-PARTY-LICENSES.txt`: the licenses of everything in the program that is not Signalbox. */
export async function collectLicenses(target: string, { packages, node, downloads }: Parts): Promise<void> {
  const sections = [section("Node.js", await readFile(path.join(node, "LICENSE"), "utf8"))];
  for (const entry of [...packages, ...(await webPackages())]) {
    const folder = await filesOf(entry, downloads);
    const text = await readLicenses(folder);
    const { license = "see its text" } = JSON.parse(
      await readFile(path.join(folder, "package.json"), "utf8"),
    ) as { license?: string };
    sections.push(
      section(`${entry.place.replace(/^.*node_modules\//, "")} ${entry.version} (${license})`, text),
    );
  }
  sections.push(...(await readDebianLicenses(downloads)));
  await writeFile(path.join(target, "THIRD-PARTY-LICENSES.txt"), [...new Set(sections)].join("\n"));
}

const section = (title: string, text: string) =>
  `${"=".repeat(80)}\n${title}\n${"=".repeat(80)}\n\n${text.trim()}\n`;

async function readLicenses(folder: string): Promise<string> {
  const names = (await readdir(folder)).filter((name) => /^(licen[cs]e|copying|notice|ofl)/i.test(name));
  return (await Promise.all(names.sort().map((name) => readFile(path.join(folder, name), "utf8")))).join(
    "\n",
  );
}

/** The packages whose code or fonts are in the web app and the widget, with those that they depend on. */
async function webPackages(): Promise<LockedPackage[]> {
  const lock = new Map((await readLock()).map((entry) => [entry.place, entry]));
  const names = new Set<string>();
  for (const folder of ["src/web", "widget/src"]) {
    const files = await readdir(path.join(ROOT, folder), { recursive: true });
    for (const file of files.filter((name) => /\.(tsx?|css)$/.test(name) && !name.includes(".test.")))
      for (const [, name = ""] of (await readFile(path.join(ROOT, folder, file), "utf8")).matchAll(IMPORTED))
        names.add(name);
  }
  const packages = new Set<LockedPackage>();
  for (const name of names) {
    const entry = lock.get(`node_modules/${name}`);
    if (entry) packages.add(entry);
  }
  for (const { dependencies = {} } of packages)
    for (const name of Object.keys(dependencies)) {
      const entry = lock.get(`node_modules/${name}`);
      if (entry) packages.add(entry);
    }
  return [...packages];
}

/** The name of a package in an import of JavaScript or CSS. */
const IMPORTED = /(?:from|import)\s*\(?["']((?:@[\w.-]+\/)?[\w-][\w.-]*)/g;

async function readDebianLicenses(downloads: string): Promise<string[]> {
  const unpacked = await mkdtemp(path.join(downloads, "licenses-"));
  // The texts are the same for all architectures.
  await unpackDebianPackages("amd64", DEBIAN_PACKAGES, { target: unpacked, downloads });
  const texts = await Promise.all(
    DEBIAN_PACKAGES.map(async (name) =>
      section(name, await readFile(path.join(unpacked, "usr/share/doc", name, "copyright"), "utf8")),
    ),
  );
  await rm(unpacked, { recursive: true });
  return texts;
}
