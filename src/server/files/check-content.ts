import { open, readFile } from "node:fs/promises";
import { fileTypeFromFile } from "file-type";
import type { Kind } from "./kinds.ts";

/**
 * Whether the file has the content that its extension promises. Runs in the file worker, since a malicious file can make
 * the check slow.
 */
export async function hasContentOf(file: string, { content }: Kind): Promise<boolean> {
  if (content.as === "text") return isText(file, content.begins);
  const detected = await fileTypeFromFile(file);
  if (!detected || !content.detected.includes(detected.ext)) return false;
  return !("holds" in content && content.holds) || holdsStream(file, content.holds);
}

const CHUNK = 65_536;
/** Document formats that consist of text characters. */
const DOCUMENT_PREFIXES = ["%PDF-", "{\\rtf", "%!PS"];

/** Text is UTF-16 with a byte order mark, UTF-8 or a legacy encoding, without control characters of binary formats. */
async function isText(file: string, begins: RegExp | undefined): Promise<boolean> {
  const handle = await open(file);
  try {
    const buffer = Buffer.alloc(CHUNK);
    let utf16: "utf-16le" | "utf-16be" | undefined;
    for (let position = 0; ;) {
      const { bytesRead } = await handle.read(buffer, 0, CHUNK, position);
      const chunk = buffer.subarray(0, bytesRead);
      if (position === 0) {
        utf16 = utf16Encoding(chunk);
        const head = new TextDecoder(utf16 ?? "utf-8").decode(chunk);
        if (DOCUMENT_PREFIXES.some((prefix) => head.startsWith(prefix)) || begins?.test(head) === false)
          return false;
      }
      if (bytesRead === 0) return true;
      if (utf16 === undefined ? chunk.some(isBinary) : hasBinaryUnit(chunk, utf16)) return false;
      position += bytesRead;
    }
  } finally {
    await handle.close();
  }
}

function utf16Encoding(head: Buffer) {
  if (head[0] === 0xff && head[1] === 0xfe) return "utf-16le";
  return head[0] === 0xfe && head[1] === 0xff ? "utf-16be" : undefined;
}

/** Text contains no control characters except backspace to carriage return, and escape in colored logs. */
function isBinary(unit: number): boolean {
  return unit < 0x20 && !(unit >= 0x08 && unit <= 0x0d) && unit !== 0x1b;
}

function hasBinaryUnit(chunk: Buffer, encoding: "utf-16le" | "utf-16be"): boolean {
  for (let i = 0; i + 1 < chunk.length; i += 2)
    if (isBinary(encoding === "utf-16le" ? chunk.readUInt16LE(i) : chunk.readUInt16BE(i))) return true;
  return chunk.length % 2 !== 0;
}

/** The container's directory stores stream names in UTF-16. */
async function holdsStream(file: string, names: readonly string[]): Promise<boolean> {
  const bytes = await readFile(file);
  return names.some((name) => bytes.includes(Buffer.from(name, "utf16le")));
}
