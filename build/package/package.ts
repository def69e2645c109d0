import { mkdir, mkdtemp, rm, stat } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import { VERSION } from "../../src/server/config/version.ts";
import { listMigrations } from "../../src/server/db/migrate.ts";
import { assembleProgram } from "./assemble-program.ts";
import { writeDebianPackage } from "./debian-package.ts";
import { findPlatform } from "./platforms.ts";
import { writeSelfExtractingFile } from "./self-extracting-file.ts";
import { readSigningKey, signFile } from "./signing.ts";

const ROOT = path.join(import.meta.dirname, "../..");
const MAX_FILE_MB = 120;

/**
 * Packages the built program (`npm run build`) as one file for each platform, with a signature, and as a package for Debian.
 *
 *     node build/package/package.ts [--platform=linux-x64]… [--version=1.2.3] [--output=dist/package]
 *
 * SIGNALBOX_SIGNING_KEY names the file with the Ed25519 key whose signatures `signalbox upgrade` accepts.
 */
const { values } = parseArgs({
  options: {
    platform: { type: "string", multiple: true, default: [`linux-${process.arch}`] },
    version: { type: "string", default: VERSION },
    output: { type: "string", default: path.join(ROOT, "dist/package") },
  },
});
const keyFile = process.env["SIGNALBOX_SIGNING_KEY"];
if (keyFile === undefined)
  print(
    "SIGNALBOX_SIGNING_KEY is not set: signing with a key for this run only. No other file can upgrade these, nor they others.",
  );
const signingKey = await readSigningKey(keyFile);
const platforms = values.platform.map(findPlatform);
const schema = String((await listMigrations()).at(-1)?.version ?? 0);
await mkdir(values.output, { recursive: true });
const work = await mkdtemp(path.join(values.output, ".work-"));
try {
  for (const platform of platforms) {
    const program = path.join(work, platform.name);
    await mkdir(program);
    const { version, output } = values;
    await assembleProgram(program, { platform, version, signingKey, downloads: work });
    const file = path.join(output, `signalbox-${version}-${platform.name}`);
    await writeSelfExtractingFile(program, file, { platform, version, schema });
    await signFile(file, signingKey);
    const debianFile = await writeDebianPackage(program, { platform, version, output, work });
    await rm(program, { recursive: true, force: true });
    for (const each of [file, debianFile]) await printSize(each);
  }
} finally {
  await rm(work, { recursive: true, force: true });
}

async function printSize(file: string): Promise<void> {
  const megabytes = (await stat(file)).size / 1e6;
  print(`${path.relative(process.cwd(), file)}  ${megabytes.toFixed(1)} MB`);
  if (megabytes > MAX_FILE_MB) throw new Error(`${file} is larger than ${MAX_FILE_MB} MB.`);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
