import { createReadStream } from "node:fs";
import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { extract, type Header } from "tar-stream";
import { EXPORTED_KINDS } from "../export/kinds.ts";
import { EXPORT_FORMAT, MANIFEST, exportManifest, type ExportManifest } from "../export/manifest.ts";
import { ImportError } from "../import/item.ts";

type Entry = Readable & { header: Header };

export type FileMember = { fileOf: number; size: number; stream: Readable };
export type ExportMember = { kind: string; stream: Readable } | FileMember;

const MAX_MANIFEST = 65_536;

/**
 * Reads the archive of an export as a stream: its manifest, and then its members. Throws ImportError if it is not an export of a
 * known format, has a member that does not belong there, or ends early. Nothing is written under a name from the archive.
 */
export async function readArchive(
  file: string,
  signal: AbortSignal,
  use: (manifest: ExportManifest, members: AsyncIterable<ExportMember>) => Promise<void>,
): Promise<void> {
  const archive = extract();
  const reading = pipeline(createReadStream(file), createGunzip(), archive, { signal });
  reading.catch(() => {});
  try {
    const entries = archive[Symbol.asyncIterator]() as unknown as AsyncIterator<Entry>;
    const manifest = await readManifest(entries, file);
    await use(manifest, membersOf(entries, file));
    await reading;
  } catch (error) {
    if (isDamage(error)) throw new ImportError(`${file} is damaged or incomplete: ${error.message}.`);
    throw error;
  } finally {
    archive.destroy();
  }
}

async function readManifest(entries: AsyncIterator<Entry>, file: string): Promise<ExportManifest> {
  const { value } = await entries.next();
  const entry = value as Entry | undefined;
  const { name = "nothing", type, size = 0 } = entry?.header ?? {};
  if (!entry || name !== MANIFEST || type !== "file" || size > MAX_MANIFEST)
    throw new ImportError(`${file} is not an export of Signalbox: it begins with ${name}.`);
  const text = (await buffer(entry)).toString();
  const { data } = exportManifest.safeParse(parse(text));
  if (data) return data;
  const { format } = Object(parse(text)) as { format?: unknown };
  throw new ImportError(
    typeof format === "string" && format !== EXPORT_FORMAT
      ? `${file} has the format ${format.slice(0, 100)}, but this version reads ${EXPORT_FORMAT}.`
      : `${file} has an invalid ${MANIFEST}.`,
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Every kind once and in order, and then files, each once. */
async function* membersOf(entries: AsyncIterator<Entry>, file: string): AsyncGenerator<ExportMember> {
  const expected = EXPORTED_KINDS.map(({ name }) => name);
  let lastFile = 0;
  for (;;) {
    const next = await entries.next();
    if (next.done === true) break;
    const entry = next.value;
    const { name, type, size } = entry.header;
    const kind = expected[0];
    const [, id] = /^files\/([1-9]\d{0,14})$/.exec(name) ?? [];
    if (type !== "file") throw unexpected(file, name);
    if (kind !== undefined && name === `${kind}.jsonl`) {
      expected.shift();
      yield { kind, stream: entry };
    } else if (kind === undefined && id !== undefined && Number(id) > lastFile) {
      lastFile = Number(id);
      yield { fileOf: lastFile, size, stream: entry };
    } else throw unexpected(file, name);
    // What the reader left.
    entry.resume();
  }
  if (expected[0] !== undefined)
    throw new ImportError(`${file} is incomplete: it lacks ${expected[0]}.jsonl.`);
}

const unexpected = (file: string, name: string) =>
  new ImportError(`${file} contains ${JSON.stringify(name.slice(0, 200))}, which does not belong there.`);

/** Errors of gzip and tar, of which the former have codes. */
const isDamage = (error: unknown): error is Error =>
  error instanceof Error &&
  !(error instanceof ImportError) &&
  (String((error as NodeJS.ErrnoException).code).startsWith("Z_") ||
    /^(?:Unexpected end of data|Invalid tar header)/.test(error.message));
