import { createReadStream } from "node:fs";
import { ImportError, type LeftOut } from "./item.ts";

/** An object of a file. `where` is its place, `object 12`. */
type JsonObject = { item: "object"; where: string; value: unknown };

const MAX_OBJECT_BYTES = 16 * 1_048_576;

const [QUOTE, BACKSLASH, OPEN, CLOSE] = [0x22, 0x5c, 0x7b, 0x7d];
/** Blanks, line ends, comma, brackets, and the bytes of a byte order mark. */
const BETWEEN = new Set([0x20, 0x09, 0x0a, 0x0d, 0x2c, 0x5b, 0x5d, 0xef, 0xbb, 0xbf]);

/**
 * Reads a JSON list of objects, or one object after the other, in constant memory. Objects that are not valid JSON are left out,
 * and so is the rest after text that is no object. Throws `ImportError` if the file does not begin with an object.
 */
export async function* readJsonObjects(path: string): AsyncGenerator<JsonObject | LeftOut> {
  let place = 0;
  let parts: Buffer[] = [];
  let [depth, bytes] = [0, 0];
  let [isInText, isEscaped] = [false, false];
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    let start = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] as number;
      if (depth === 0) {
        if (byte === OPEN) [depth, start, bytes, place] = [1, at, 0, place + 1];
        else if (!BETWEEN.has(byte)) {
          if (place === 0) throw new ImportError("The file is not a JSON list of objects.");
          yield leftOut(place + 1, "The file has other text here, so the rest is not read.");
          return;
        }
      } else if (isEscaped) isEscaped = false;
      else if (isInText) {
        if (byte === BACKSLASH) isEscaped = true;
        else if (byte === QUOTE) isInText = false;
      } else if (byte === QUOTE) isInText = true;
      else if (byte === OPEN) depth++;
      else if (byte === CLOSE && --depth === 0) {
        bytes += at + 1 - start;
        yield bytes > MAX_OBJECT_BYTES
          ? tooLarge(place)
          : parse(place, [...parts, chunk.subarray(start, at + 1)]);
        parts = [];
      }
    }
    if (depth === 0) continue;
    bytes += chunk.length - start;
    if (bytes <= MAX_OBJECT_BYTES) parts.push(chunk.subarray(start));
    else parts = [];
  }
  if (depth > 0) yield leftOut(place, "The file ends in the middle of it.");
  if (place === 0) throw new ImportError("The file has no objects.");
}

function parse(place: number, parts: Buffer[]): JsonObject | LeftOut {
  try {
    const value: unknown = JSON.parse(Buffer.concat(parts).toString("utf8"));
    return { item: "object", where: `object ${place}`, value };
  } catch {
    return leftOut(place, "It is not valid JSON.");
  }
}

const tooLarge = (place: number) => leftOut(place, "It is larger than 16 MiB.");

const leftOut = (place: number, reason: string): LeftOut => ({
  item: "left_out",
  where: `object ${place}`,
  reason,
});
