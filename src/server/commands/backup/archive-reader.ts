import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { extract } from "tar-stream";
import { StartError } from "../../config/start-error.ts";
import { FORMAT, kindOf, manifest, MANIFEST, type Manifest, type Member } from "./manifest.ts";

/** Far above the size for a million files. */
const MAX_MANIFEST_BYTES = 512 * 1_048_576;

/**
 * Reads the whole archive, verifies every member against the manifest, and returns the manifest. Throws StartError if
 * the archive is damaged, incomplete, made by a newer version, or not a backup.
 */
export async function checkArchive(file: string): Promise<Manifest> {
  const seen = new Map<string, Member>();
  let text: string | undefined;
  for await (const { name, size, body } of members(file)) {
    if (text !== undefined || seen.has(name)) throw damaged(file, `unexpected member ${name}`);
    if (name === MANIFEST) text = await readManifest(file, size, body);
    else seen.set(name, { name, size, sha256: await hashOf(body) });
  }
  if (text === undefined) throw damaged(file, "the manifest is missing");
  const content = parse(file, text);
  const listed = new Set(content.members.map((member) => member.name));
  for (const member of content.members) {
    const { size, sha256 } = seen.get(member.name) ?? {};
    if (size !== member.size || sha256 !== member.sha256)
      throw damaged(file, `${member.name} does not match the manifest`);
  }
  if (listed.size !== seen.size || listed.size !== content.members.length)
    throw damaged(file, "its members do not match the manifest");
  return content;
}

export type OpenMember = { name: string; size: number; body: AsyncIterable<Buffer> };

/**
 * Yields the members in the archive's order; read each one to its end before the next. With `expected`, a member that
 * differs throws StartError, at the latest at its end.
 */
export async function* members(file: string, expected?: Member[]): AsyncGenerator<OpenMember> {
  const memberByName = new Map(expected?.map((member) => [member.name, member]));
  const entries = extract();
  const reading = pipeline(createReadStream(file), createGunzip(), entries);
  reading.catch(() => {});
  try {
    for await (const entry of entries) {
      const { name, size, type } = entry.header;
      if (type !== "file" || kindOf(name) === undefined)
        throw damaged(file, `${JSON.stringify(name.slice(0, 100))} is not a member of a backup`);
      const member = memberByName.get(name);
      if (expected && name !== MANIFEST && member?.size !== size)
        throw damaged(file, `${name} does not match the manifest`);
      yield {
        name,
        size,
        body: read(file, entry as AsyncIterable<unknown> as AsyncIterable<Buffer>, reading, member),
      };
    }
    await reading;
  } catch (error) {
    throw await reason(file, error, reading);
  } finally {
    entries.destroy();
  }
}

async function* read(
  file: string,
  body: AsyncIterable<Buffer>,
  reading: Promise<unknown>,
  member?: Member,
): AsyncGenerator<Buffer> {
  const hash = createHash("sha256");
  try {
    for await (const chunk of body) {
      if (member) hash.update(chunk);
      yield chunk;
    }
  } catch (error) {
    throw await reason(file, error, reading);
  }
  if (member && hash.digest("hex") !== member.sha256)
    throw damaged(file, `${member.name} does not match the manifest`);
}

/** Reads to the end and returns the SHA-256. */
async function hashOf(body: AsyncIterable<Buffer>): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of body) hash.update(chunk);
  return hash.digest("hex");
}

async function readManifest(file: string, size: number, body: AsyncIterable<Buffer>): Promise<string> {
  if (size > MAX_MANIFEST_BYTES) throw damaged(file, "the manifest is too large");
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

function parse(file: string, text: string): Manifest {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw damaged(file, "the manifest is not valid JSON");
  }
  const { format } = (json ?? {}) as { format?: unknown };
  if (typeof format === "number" && format > FORMAT)
    throw new StartError(`${file} was made by a newer version of Signalbox. Install that version.`);
  const result = manifest.safeParse(json);
  if (!result.success) throw damaged(file, "the manifest is invalid");
  return result.data;
}

async function reason(file: string, error: unknown, reading: Promise<unknown>): Promise<StartError> {
  if (error instanceof StartError) return error;
  // The pipeline rejects with the original error, from the file or from gunzip.
  const cause = await reading.then(
    () => error,
    (first: unknown) => first,
  );
  const { code, message } = cause as NodeJS.ErrnoException;
  if (code === "ENOENT" || code === "EACCES" || code === "EISDIR" || code === "EIO")
    return new StartError(`${file} cannot be read: ${message}`, cause);
  if (code === "Z_DATA_ERROR" && /header/.test(message))
    return new StartError(`${file} is not a backup.`, cause);
  return damaged(file, message);
}

function damaged(file: string, what: string): StartError {
  return new StartError(`${file} is damaged or incomplete: ${what}. Nothing was changed.`);
}
