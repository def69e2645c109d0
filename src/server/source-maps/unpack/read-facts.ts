import { open, type FileHandle } from "node:fs/promises";
import { nameOfMap } from "./artifact-name.ts";
import { readDebugId, type NewArtifact, type UnpackedFile } from "./new-artifact.ts";

/** Comments with the debug id and the source map are at the end of a file. */
const TAIL_BYTES = 8 * 1024;

const CHUNK_BYTES = 1_048_576;

/** More than a key, its separator and a debug id take. */
const OVERLAP_BYTES = 128;

/** The file with the facts that its content states. */
export async function readFacts(file: UnpackedFile): Promise<NewArtifact> {
  const handle = await open(file.path, "r");
  try {
    if (file.name.endsWith(".map"))
      return { ...file, type: "source_map", debug_id: await debugIdOfMap(handle), map_name: null };
    const tail = await readTail(handle, file.size);
    const reference = lastMatch(tail, /\/[/*][#@][ \t]*sourceMappingURL=([^\s'"*]+)/g);
    return {
      ...file,
      type: "source",
      debug_id: readDebugId(lastMatch(tail, /\/\/[#@][ \t]*debugId=([0-9a-f-]{32,36})/gi)),
      map_name: reference === undefined ? null : nameOfMap(file.name, reference),
    };
  } finally {
    await handle.close();
  }
}

async function readTail(handle: FileHandle, size: number): Promise<string> {
  const length = Math.min(size, TAIL_BYTES);
  const { buffer } = await handle.read(Buffer.alloc(length), 0, length, size - length);
  return buffer.toString("utf8");
}

const lastMatch = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].at(-1)?.[1];

/**
 * The value of the key `debug_id` or `debugId`. The map is not parsed, because it can be large. Inside its texts, such as those of the
 * sources, quotes are escaped, so they do not contain the key in this form.
 */
async function debugIdOfMap(handle: FileHandle): Promise<string | null> {
  const buffer = Buffer.alloc(CHUNK_BYTES + OVERLAP_BYTES);
  let found: string | undefined;
  let kept = 0;
  for (;;) {
    const { bytesRead } = await handle.read(buffer, kept, CHUNK_BYTES);
    if (bytesRead === 0) return readDebugId(found);
    const filled = kept + bytesRead;
    found = lastDebugId(buffer.subarray(0, filled)) ?? found;
    kept = Math.min(filled, OVERLAP_BYTES);
    buffer.copyWithin(0, filled - kept, filled);
  }
}

function lastDebugId(bytes: Buffer): string | undefined {
  for (const key of ['"debug_id"', '"debugId"']) {
    const at = bytes.lastIndexOf(key);
    if (at === -1) continue;
    const value = /^\s*:\s*"([0-9a-f-]{32,36})"/i.exec(
      bytes.toString("latin1", at + key.length, at + OVERLAP_BYTES),
    );
    if (value) return value[1];
  }
  return undefined;
}
