/** Builds what a Signalbox server offers for download, in dist/cli of the repository: the package as npm packs it. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { packFolder } from "../../reporter/scripts/pack-folder.ts";
import { buildProgram } from "./build-package.ts";

const ROOT = path.join(import.meta.dirname, "..");
const output = process.argv[2] ?? path.join(ROOT, "../dist/cli");

const folder = mkdtempSync(path.join(tmpdir(), "signalbox-cli-"));
try {
  const content = path.join(folder, "package");
  const documents = ["LICENSE", "README.md", "package.json"];
  for (const name of documents) cpSync(path.join(ROOT, name), path.join(content, name));
  await buildProgram(path.join(content, "dist/sbx.js"));
  const files = [...documents, "dist/sbx.js"].map((name) => path.join(content, name));
  writeFileSync(path.join(folder, "sbx.tgz"), await packFolder(content, files));
  const { version } = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8")) as {
    version: string;
  };
  writeFileSync(path.join(folder, "sbx.json"), `${JSON.stringify({ version })}\n`);

  mkdirSync(output, { recursive: true });
  // The description comes last: its time tells whether the build is older than its sources.
  for (const name of ["sbx.tgz", "sbx.json"]) {
    // Copy and rename, so that a running server never reads half a file; the temporary folder may be on another disk.
    cpSync(path.join(folder, name), path.join(output, `${name}.new`));
    renameSync(path.join(output, `${name}.new`), path.join(output, name));
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
