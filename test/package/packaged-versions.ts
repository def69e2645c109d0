import assert from "node:assert/strict";
import { createHash, createPrivateKey, sign } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { signedText } from "../../src/server/commands/upgrade/signature.ts";
import { SETUP_TOKEN } from "../support/over-http.ts";
import { makePlace, PACKAGE, runProgram, SIGNING_KEY, type Place } from "./packaged-program.ts";

const content = await readFile(PACKAGE);
const head = content.subarray(0, 8192).toString("latin1");
const [, version = "", platform = "", schema = "", sha256 = ""] =
  /version=(\S+) platform=(\S+) schema=(\d+) sha256=(\S+)/.exec(head) ?? [];

/** What the packaged file says about itself. */
export const facts = { version, platform, schema, sha256 };
export const newerName = version.replace(/\d$/, "9");

/** The packaged file with another version in its script: as another version, it unpacks to another folder. */
export const newerVersion = Buffer.concat([
  Buffer.from(head.replaceAll(version, newerName), "latin1"),
  content.subarray(8192),
]);

/** Its data directory contains the unpacked programs of both versions. It stays until the run ends, because other files use it too. */
export const unpacked = await makePlace();

/** Its first folder has a `sync` that does nothing: flushing the disks of a busy machine takes minutes. */
export const searchPath = `${unpacked.folder}:${process.env["PATH"]}`;
await writeFile(path.join(unpacked.folder, "sync"), "#!/bin/sh\n", { mode: 0o755 });

const newerFile = path.join(unpacked.folder, "newer");
await writeFile(newerFile, newerVersion, { mode: 0o755 });
for (const file of [PACKAGE, newerFile]) {
  const { code, output } = await run({ ...unpacked, file }, ["--help"]).ended;
  assert.equal(code, 0, output);
}

/** Runs a command of a file on the data directory of a place. */
export function run(
  { folder, dataDir, port, file }: Place & { file: string },
  args: string[],
  env: Record<string, string> = {},
) {
  return runProgram([file, ...args], {
    cwd: folder,
    env: { PATH: searchPath, DATA_DIR: dataDir, PORT: String(port), SETUP_TOKEN, ...env },
  });
}

/** A file that succeeds when it is asked for help, and otherwise runs this script. */
export function fakeVersion(script: string, changes: Partial<typeof facts> = {}): string {
  const { version, platform, schema, sha256 } = {
    ...facts,
    version: "9.9.9",
    sha256: "0".repeat(64),
    ...changes,
  };
  return `#!/bin/sh
# version=${version} platform=${platform} schema=${schema} sha256=${sha256}
[ "$1" != --help ] || exit 0
${script}
`;
}

/** A file that runs the newer version after a script. Creates the file `started` in its working directory before. */
export function newerVersionAfter(script: string): string {
  const names = { version: newerName, sha256: facts.sha256 };
  return fakeVersion(`touch started\n${script}\nexec "${newerFile}" "$@"`, names);
}

const key = createPrivateKey(await readFile(SIGNING_KEY, "utf8"));

/** Writes a file to upgrade to, and its signature, into the folder. */
export async function writeRelease(
  { folder }: Place,
  content: string | Buffer,
  signingKey = key,
): Promise<string> {
  const file = path.join(folder, "release");
  await writeFile(file, content);
  const digest = createHash("sha512").update(content).digest("hex");
  await writeFile(`${file}.sig`, sign(null, signedText(digest), signingKey).toString("base64"));
  return file;
}
