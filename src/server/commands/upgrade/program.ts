import { readFileSync } from "node:fs";
import { open, realpath } from "node:fs/promises";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { StartError } from "../../config/start-error.ts";

/** The one file that this process was started from, and what it contains. */
export type Program = {
  /** The file that an upgrade replaces. */
  file: string;
  /** The name of the unpacked folder: version and checksum. */
  name: string;
  version: string;
  platform: string;
  /** Ed25519, as PEM. */
  publicKey: string;
};

const FOLDER = fileURLToPath(new URL("../../../..", import.meta.url)).replace(/\/$/, "");

const contents = z.object({ version: z.string(), platform: z.string(), public_key: z.string() });

/** Undefined if Signalbox was installed in another way. */
export async function packagedProgram(): Promise<Program | undefined> {
  const file = process.env["SIGNALBOX_FILE"];
  const text = file === undefined ? undefined : readProgramJson();
  if (file === undefined || text === undefined) return undefined;
  const { public_key: publicKey, ...rest } = contents.parse(JSON.parse(text));
  return { file: await realpath(file), name: basename(FOLDER), publicKey, ...rest };
}

function readProgramJson(): string | undefined {
  try {
    return readFileSync(`${FOLDER}/program.json`, "utf8");
  } catch {
    return undefined;
  }
}

/** What the first lines of a file say about it. Trust them only after checking its signature. */
export type Release = { version: string; platform: string; schema: number; name: string };

const HEAD_BYTES = 4096;
const FACTS = /^# version=(\S+) platform=(\S+) schema=(\d+) sha256=([0-9a-f]{64})$/m;

/** Throws StartError if the file is not a Signalbox. */
export async function readRelease(file: string): Promise<Release> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    const [, version, platform, schema, sha256] = FACTS.exec(buffer.toString("latin1", 0, bytesRead)) ?? [];
    if (version === undefined || platform === undefined || sha256 === undefined)
      throw new StartError(`${file} is not a Signalbox file.`);
    return { version, platform, schema: Number(schema), name: `${version}-${sha256.slice(0, 12)}` };
  } finally {
    await handle.close();
  }
}
