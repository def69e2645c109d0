import { readFileSync } from "node:fs";
import path from "node:path";

/** A request that an unmodified SDK sent, decompressed. */
type Recorded = { url: string; headers: Record<string, string>; body: string };

const FOLDER = path.join(import.meta.dirname, "../fixtures/sentry");

/** Requests recorded from an SDK, in the order in which it sent them. */
export const recorded = (sdk: "node-10.78.0" | "browser-10.78.0"): Recorded[] =>
  JSON.parse(readFileSync(path.join(FOLDER, `${sdk}.json`), "utf8")) as Recorded[];

/** The recorded envelope whose first item is of this type and contains the text. */
export function recordedEnvelope(
  type: string,
  text = "",
  sdk: Parameters<typeof recorded>[0] = "node-10.78.0",
) {
  const found = recorded(sdk).find(
    ({ body }) => body.split("\n", 2)[1]?.includes(`"type":"${type}"`) && body.includes(text),
  );
  if (!found) throw new Error(`no recorded envelope has a ${type}`);
  return found.body;
}

/** An item of an envelope: its header without `length`, and its payload. */
export type SentItem = { header: Record<string, unknown>; payload: Buffer | string };

/** The bytes of an envelope; the headers of its items have a `length` if `lengths` is set. */
export function envelope(items: SentItem[], { header = {}, lengths = true } = {}): Buffer {
  const parts = items.flatMap(({ header: own, payload }) => {
    const bytes = Buffer.from(payload);
    const line = JSON.stringify(lengths ? { ...own, length: bytes.length } : own);
    return [Buffer.from(`${line}\n`), bytes, Buffer.from("\n")];
  });
  return Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), ...parts]);
}

/** An envelope with one event. */
export const eventEnvelope = (event: unknown, header = {}): Buffer =>
  envelope([{ header: { type: "event" }, payload: JSON.stringify(event) }], { header });
