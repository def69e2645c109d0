/**
 * Builds what a Signalbox server offers for download, in dist/reporter of the repository: the package as npm packs it,
 * and the reporter for browsers as a classic script and as an ES module.
 */
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildPackage, bundleForBrowsers } from "./build-package.ts";
import { packFolder } from "./pack-folder.ts";

const root = join(import.meta.dirname, "..");
const output = process.argv[2] ?? join(root, "../dist/reporter");
const { version, files } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  version: string;
  files: string[];
};

// A folder of its own: tests may rebuild and read reporter/dist at the same time.
const folder = mkdtempSync(join(tmpdir(), "signalbox-reporter-"));
try {
  const content = join(folder, "package");
  for (const name of ["package.json", "README.md", "LICENSE", ...files.filter((name) => name !== "dist")])
    cpSync(join(root, name), join(content, name), { recursive: true });
  await Promise.all([
    buildPackage(join(content, "dist")),
    bundleForBrowsers("src/browser/script-tag.ts", join(folder, "reporter.js"), "iife"),
    // In one file, in contrast to the package: a server offers no further files.
    bundleForBrowsers("src/browser/index.ts", join(folder, "reporter.mjs"), "esm"),
  ]);
  const names = globSync("**/*", { cwd: content, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  writeFileSync(join(folder, "reporter.tgz"), await packFolder(content, names));
  writeFileSync(join(folder, "reporter.json"), `${JSON.stringify({ version })}\n`);

  mkdirSync(output, { recursive: true });
  // The description comes last: its time tells whether the build is older than its sources.
  for (const name of ["reporter.js", "reporter.mjs", "reporter.tgz", "reporter.json"]) {
    // Copy and rename, so that a running server never reads half a file; the temporary folder may be on another disk.
    cpSync(join(folder, name), join(output, `${name}.new`));
    renameSync(join(output, `${name}.new`), join(output, name));
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
