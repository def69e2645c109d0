import { open, readFile } from "node:fs/promises";
import { fileTypeFromFile } from "file-type";
import type { Kind } from "./kinds.ts";

/** Whether the file is what its name says (decisions.md 2). Runs in the file worker: a file may be made to be slow. */
export async function matches(file: string, { content }: Kind): Promise<boolean> {
  if (content.as === "text") return isText(file, content.begins);
  const detected = await fileTypeFromFile(file);
  if (!detected || !content.detected.includes(detected.ext)) return false;
  return !("holds" in content && content.holds) || holdsStream(file, content.holds);
}

const CHUNK = 65_536;
/** Formats that are text all through and yet no text. */
const NO_TEXT = ["%PDF-", "{\\rtf", "%!PS"];

/** UTF-8, UTF-16 with its mark, or an older encoding: no character that only a binary format has. */
async function isText(file: string, begins: RegExp | undefined): Promise<boolean> {
  const handle = await open(file);
  try {
    const buffer = Buffer.alloc(CHUNK);
    let wide: "utf-16le" | "utf-16be" | undefined;
    for (let position = 0; ;) {
      const { bytesRead } = await handle.read(buffer, 0, CHUNK, position);
      const chunk = buffer.subarray(0, bytesRead);
      if (position === 0) {
        wide = wideEncoding(chunk);
        const head = new TextDecoder(wide ?? "utf-8").decode(chunk);
        if (NO_TEXT.some((magic) => head.startsWith(magic)) || begins?.test(head) === false) return false;
      }
      if (bytesRead === 0) return true;
      if (wide === undefined ? chunk.some(isBinary) : hasBinaryUnit(chunk, wide)) return false;
      position += bytesRead;
    }
  } finally {
    await handle.close();
  }
}

function wideEncoding(head: Buffer) {
  if (head[0] === 0xff && head[1] === 0xfe) return "utf-16le";
  return head[0] === 0xfe && head[1] === 0xff ? "utf-16be" : undefined;
}

/** Of the control characters a text has backspace to carriage return, and escape in coloured logs. */
function isBinary(unit: number): boolean {
  return unit < 0x20 && !(unit >= 0x08 && unit <= 0x0d) && unit !== 0x1b;
}

function hasBinaryUnit(chunk: Buffer, encoding: "utf-16le" | "utf-16be"): boolean {
  for (let i = 0; i + 1 < chunk.length; i += 2)
    if (isBinary(encoding === "utf-16le" ? chunk.readUInt16LE(i) : chunk.readUInt16BE(i))) return true;
  return chunk.length % 2 !== 0;
}

/** Names of streams are UTF-16 in the container's directory. */
async function holdsStream(file: string, names: readonly string[]): Promise<boolean> {
  const bytes = await readFile(file);
  return names.some((name) => bytes.includes(Buffer.from(name, "utf16le")));
}
