import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import path from "node:path";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { crc32 } from "node:zlib";
import { openPromise, type Entry, type ZipFile } from "yauzl";
import { MAX_ARTIFACT_BYTES, MAX_ARTIFACT_UPLOAD_BYTES, MAX_ARTIFACTS } from "../../../shared/source-maps.ts";
import { HttpError, invalid, tooLarge } from "../../answers/errors.ts";
import type { UnpackedFile } from "./new-artifact.ts";

/** The type of file in the upper half of the attributes that Unix programs set, and that of a regular file. */
const FILE_TYPE = 0o170000;
const REGULAR = 0o100000;

/**
 * Unpacks a zip archive into the folder, one file after the other. Sizes are counted, whatever the archive's headers claim. 413 beyond the
 * limits; 422 on the field of a file that is damaged, encrypted, a link or a device; 422 on `files` if it is not a zip archive. The names are
 * those of the archive: the caller checks them, and nothing is written under them.
 */
export async function readZip(archive: string, folder: string): Promise<UnpackedFile[]> {
  const zip = await openPromise(archive, { decodeStrings: false, autoClose: false }).catch(() => undefined);
  if (!zip) throw notAnArchive();
  try {
    const listed = await listFiles(zip).catch((error: unknown) => {
      throw isOurs(error) ? error : notAnArchive();
    });
    const unpacking = new Unpacking(zip, folder);
    const files: UnpackedFile[] = [];
    for (const file of listed) files.push(await unpacking.unpack(file));
    return files;
  } finally {
    zip.close();
  }
}

type Listed = { entry: Entry; name: string; field: string };

/** The files that the archive lists, without folders. */
async function listFiles(zip: ZipFile): Promise<Listed[]> {
  const files: Listed[] = [];
  for await (const entry of zip.eachEntry()) {
    const field = `files.${files.length}`;
    const name = decode(entry.fileNameRaw);
    if (name === undefined) throw invalid({ [field]: ["must have a name in UTF-8"] });
    if (name.endsWith("/") && entry.uncompressedSize === 0) continue;
    if (files.length === MAX_ARTIFACTS) throw tooLarge(`An upload may have at most ${MAX_ARTIFACTS} files.`);
    const type = (entry.externalFileAttributes >>> 16) & FILE_TYPE;
    if (type !== 0 && type !== REGULAR)
      throw invalid({ [field]: ["must be a file, not a link or a device"] });
    if (!entry.canDecodeFileData())
      throw invalid({ [field]: ["must be stored or deflated, and not encrypted"] });
    files.push({ entry, name, field });
  }
  return files;
}

class Unpacking {
  readonly #zip: ZipFile;
  readonly #folder: string;
  #bytes = 0;

  constructor(zip: ZipFile, folder: string) {
    this.#zip = zip;
    this.#folder = folder;
  }

  /** Writes the file to the folder. Its size and checksum must be what the archive says. */
  async unpack({ entry, name, field }: Listed): Promise<UnpackedFile> {
    const target = path.join(this.#folder, field);
    const hash = createHash("sha256");
    let size = 0;
    let checksum = 0;
    const count = new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        size += chunk.length;
        this.#bytes += chunk.length;
        checksum = crc32(chunk, checksum);
        hash.update(chunk);
        done(limitError(size, this.#bytes), chunk);
      },
    });
    try {
      await pipeline(
        await this.#zip.openReadStreamPromise(entry),
        count,
        createWriteStream(target, { flags: "wx" }),
      );
    } catch (error) {
      throw isOurs(error) ? error : damaged(field);
    }
    if (checksum !== entry.crc32) throw damaged(field);
    return { field, name, path: target, size, sha256: hash.digest() };
  }
}

/** Whether the error is a refusal or one of the operating system, not the reader's opinion of the archive. */
const isOurs = (error: unknown) =>
  error instanceof HttpError || (error as NodeJS.ErrnoException).syscall !== undefined;

const damaged = (field: string) =>
  invalid({ [field]: ["is damaged: the archive's content does not match what it says of the file"] });

const notAnArchive = () => invalid({ files: ["must be a zip archive"] });

/** The error for a file of this size, in an upload that has this many bytes so far. */
function limitError(size: number, total: number): HttpError | null {
  if (size > MAX_ARTIFACT_BYTES)
    return tooLarge(`A file may have at most ${MAX_ARTIFACT_BYTES / 1_048_576} MiB.`);
  if (total > MAX_ARTIFACT_UPLOAD_BYTES)
    return tooLarge(`An upload may have at most ${MAX_ARTIFACT_UPLOAD_BYTES / 1_048_576} MiB unpacked.`);
  return null;
}

function decode(name: Buffer): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(name);
  } catch {
    return undefined;
  }
}
