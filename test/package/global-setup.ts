import { execFile } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";

const ROOT = path.join(import.meta.dirname, "../..");

let folder: string | undefined;

/**
 * Packages the program once for all tests, with a key that they sign other files with. Uses the existing file TEST_PACKAGE, whose key
 * is TEST_SIGNING_KEY, if they are set.
 */
export async function globalSetup(): Promise<void> {
  if (process.env["TEST_PACKAGE"] !== undefined) return;
  folder = await mkdtemp(path.join(tmpdir(), "signalbox-package-"));
  const key = path.join(folder, "key.pem");
  const { privateKey } = generateKeyPairSync("ed25519");
  await writeFile(key, privateKey.export({ type: "pkcs8", format: "pem" }), { mode: 0o600 });
  const output = path.join(folder, "output");
  await promisify(execFile)(process.execPath, ["build/package/package.ts", `--output=${output}`], {
    cwd: ROOT,
    env: { ...process.env, SIGNALBOX_SIGNING_KEY: key },
  });
  const files = await readdir(output);
  process.env["TEST_PACKAGE"] = path.join(output, files.find((name) => /-linux-\w+$/.test(name)) ?? "");
  process.env["TEST_SIGNING_KEY"] = key;
}

export async function globalTeardown(): Promise<void> {
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
}
