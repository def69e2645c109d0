import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createReadStream, createWriteStream } from "node:fs";
import { chmod, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { V8_FLAGS } from "../v8-flags.ts";
import type { Platform } from "./platforms.ts";

type Options = { platform: Platform; version: string; schema: string };

/** Writes one executable file: a shell script, followed by the folder as a compressed archive that the script unpacks. */
export async function writeSelfExtractingFile(folder: string, file: string, options: Options): Promise<void> {
  const archive = `${file}.archive`;
  await compress(folder, archive);
  const digest = createHash("sha256");
  await pipeline(createReadStream(archive), digest);
  const head = await makeHead({ ...options, sha256: digest.digest("hex"), bytes: await sizeOf(folder) });
  const partial = `${file}.partial`;
  const output = createWriteStream(partial);
  output.write(head);
  await pipeline(createReadStream(archive), output);
  await rm(archive);
  await chmod(partial, 0o755);
  await rename(partial, file);
}

async function compress(folder: string, archive: string): Promise<void> {
  const options = ["--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--mode=go=u-w"];
  const tar = spawn("tar", ["--create", ...options, "--directory", folder, "."], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exit = once(tar, "exit") as Promise<[number | null]>;
  await pipeline(tar.stdout, createGzip(), createWriteStream(archive));
  const [code] = await exit;
  if (code !== 0) throw new Error(`tar ended with ${code}.`);
}

type Head = Options & { sha256: string; bytes: number };

async function makeHead({ platform, version, schema, sha256, bytes }: Head): Promise<string> {
  const template = await readFile(path.join(import.meta.dirname, "head.sh"), "utf8");
  const values: Record<string, string> = {
    VERSION: version,
    PLATFORM: platform.name,
    MACHINES: platform.machines,
    SCHEMA: schema,
    SHA256: sha256,
    SHORT_HASH: sha256.slice(0, 12),
    UNPACKED_MB: String(Math.ceil(bytes / 1e6)),
    V8_FLAGS: V8_FLAGS.join(" "),
  };
  const head = template.replaceAll(/@([A-Z0-9_]+)@/g, (name, key: string) => values[key] ?? name);
  // The offset is that of the byte after the script, counted from 1. Its digits change the script's length.
  const fill = (offset: number) => head.replaceAll("@OFFSET@", String(offset));
  let offset = 1;
  while (Buffer.byteLength(fill(offset)) + 1 !== offset) offset = Buffer.byteLength(fill(offset)) + 1;
  return fill(offset);
}

async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const sizes = await Promise.all(
    entries.filter((entry) => entry.isFile()).map((entry) => stat(path.join(entry.parentPath, entry.name))),
  );
  return sizes.reduce((sum, { size }) => sum + size, 0);
}
