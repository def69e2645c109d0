import type { Readable } from "node:stream";
import { z } from "zod";
import { ImportError } from "../import/item.ts";

/** A line of an export: the columns of an object. The database checks their types. */
export type Line = { id: number; [column: string]: unknown };

/** Bytes. The longest objects are errors with ten exceptions, each with a long trace. */
const MAX_LINE = 32 * 1_048_576;

/** Exports nest about fifteen levels. Neither JavaScript nor PostgreSQL can write or read thousands. */
const MAX_NESTING = 100;

/** Lines that are stored together, in bytes. */
const MAX_BATCH = 8 * 1_048_576;
const BATCH_LINES = 100;

const line = z.looseObject({ id: z.int().positive() });

/** The objects of a member in batches. Throws ImportError if a line is too long, nested too deeply, or not an object with an id. */
export async function* readBatches(stream: Readable, name: string): AsyncGenerator<Line[]> {
  let [batch, bytes, number]: [Line[], number, number] = [[], 0, 0];
  for await (const text of splitLines(stream, name)) {
    number++;
    const { data } = line.safeParse(parse(text));
    if (!data) throw new ImportError(`${name}, line ${number} is not an object with an id.`);
    if (!nestsAtMost(MAX_NESTING, data))
      throw new ImportError(`${name}, line ${number} is nested too deeply.`);
    batch.push(data);
    bytes += text.length;
    if (batch.length < BATCH_LINES && bytes < MAX_BATCH) continue;
    yield batch;
    [batch, bytes] = [[], 0];
  }
  if (batch.length > 0) yield batch;
}

async function* splitLines(stream: Readable, name: string): AsyncGenerator<string> {
  let rest: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      yield Buffer.concat([...rest, chunk.subarray(start, end)]).toString();
      [rest, length, start] = [[], 0, end + 1];
    }
    // A copy, because the stream uses its memory again.
    if (start < chunk.length) rest.push(Buffer.from(chunk.subarray(start)));
    length += chunk.length - start;
    if (length > MAX_LINE) throw new ImportError(`${name} has a line of more than ${MAX_LINE} bytes.`);
  }
  if (rest.length > 0) yield Buffer.concat(rest).toString();
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function nestsAtMost(levels: number, value: unknown): boolean {
  if (typeof value !== "object" || value === null) return true;
  return levels > 0 && Object.values(value).every((inner) => nestsAtMost(levels - 1, inner));
}
