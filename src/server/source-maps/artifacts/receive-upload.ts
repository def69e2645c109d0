import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import path from "node:path";
import { MAX_ARTIFACT_BYTES, MAX_ARTIFACT_UPLOAD_BYTES, MAX_ARTIFACTS } from "../../../shared/source-maps.ts";
import { invalid, tooLarge } from "../../answers/errors.ts";
import type { ExpectedParts } from "../../files/read-multipart.ts";
import type { Uploader } from "../../files/uploader.ts";
import type { Uploads } from "../../files/uploads.ts";
import { announceBody } from "../../http/body-listener.ts";
import { streamBody } from "../../http/read-body.ts";
import type { NewArtifact } from "../unpack/new-artifact.ts";
import { readArchive, requireNames } from "../unpack/read-archive.ts";
import { readFacts } from "../unpack/read-facts.ts";

/** What the boundaries and headers of the parts may add. */
const MULTIPART_BYTES = 16 * 1_048_576;

/** Files are sent as `files[0]`, `files[1]` …; error fields use the same numbers: `files.0`. */
const EXPECTED: ExpectedParts = {
  fields: [],
  fileField: (name, index) => {
    const number = /^files(?:\[(\d{0,5})\])?$/.exec(name);
    return number ? `files.${number[1] || index}` : undefined;
  },
  files: MAX_ARTIFACTS,
  fileBytes: MAX_ARTIFACT_BYTES,
  bodyBytes: MAX_ARTIFACT_UPLOAD_BYTES + MULTIPART_BYTES,
  nameOf: (sent) => sent,
};

type Use<T> = (artifacts: NewArtifact[]) => Promise<T>;

/** Reads a multipart body and passes its files to `use`. 413 beyond the limits, 422 on the fields of files with invalid names. */
export function receiveForm<T>(
  uploads: Uploads,
  request: IncomingMessage,
  uploader: Uploader,
  use: Use<T>,
): Promise<T> {
  return uploads.read(request, uploader, EXPECTED, async ({ files, tooMany }) => {
    if (tooMany) throw tooLarge(`An upload may have at most ${MAX_ARTIFACTS} files.`);
    if (files.some((file) => file.tooLarge))
      throw tooLarge(`A file may have at most ${MAX_ARTIFACT_BYTES / 1_048_576} MiB.`);
    if (files.reduce((sum, { size }) => sum + size, 0) > MAX_ARTIFACT_UPLOAD_BYTES) throw tooLarge();
    if (files.length === 0) throw noFiles();
    const named = files.map(({ filename, ...file }) => ({ ...file, name: filename }));
    requireNames(named);
    const artifacts: NewArtifact[] = [];
    for (const file of named) artifacts.push(await readFacts(file));
    return use(artifacts);
  });
}

/** Reads a body that is a zip archive, unpacks it, and passes its files to `use`. */
export function receiveArchive<T>(
  uploads: Uploads,
  request: IncomingMessage,
  _uploader: Uploader,
  use: Use<T>,
): Promise<T> {
  return uploads.useFolder(async (folder) => {
    const archive = path.join(folder, "archive");
    const sum = await writeBody(request, archive);
    await announceBody(request, () => sum);
    const artifacts = await readArchive(archive, folder);
    if (artifacts.length === 0) throw noFiles();
    return use(artifacts);
  });
}

/** Writes the body to a file and returns its hash. */
async function writeBody(request: IncomingMessage, target: string): Promise<string> {
  const hash = createHash("sha256");
  const limits = { sent: MAX_ARTIFACT_UPLOAD_BYTES, decompressed: MAX_ARTIFACT_UPLOAD_BYTES };
  const file = await open(target, "wx", 0o600);
  try {
    await streamBody(request, limits, async (chunk) => {
      hash.update(chunk);
      await file.writeFile(chunk);
      return false;
    });
  } finally {
    await file.close();
  }
  return hash.digest("hex");
}

const noFiles = () => invalid({ files: ["are required"] });
