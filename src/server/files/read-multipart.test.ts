import assert from "node:assert/strict";
import type { IncomingMessage } from "node:http";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { test } from "node:test";
import fc from "fast-check";
import { MULTIPART, multipart, type Part } from "../../../test/support/multipart.ts";
import { HttpError } from "../answers/errors.ts";
import { readMultipart, type ExpectedParts, type Upload } from "./read-multipart.ts";

/** Longer than any run; a body that is not read to its end fails the test with 408. */
const SILENT_MS = 10_000;

const EXPECTED: ExpectedParts = {
  fields: ["title"],
  fileField: (name, index) => (name.startsWith("file") ? `${name}.${index}` : undefined),
  files: 2,
  fileBytes: 5_000,
};

async function read(chunks: Buffer[]): Promise<Upload | HttpError> {
  const folder = await mkdtemp(path.join(tmpdir(), "signalbox-multipart-"));
  const request = Object.assign(Readable.from(chunks), { headers: { "content-type": MULTIPART } });
  try {
    const upload = await readMultipart(request as unknown as IncomingMessage, EXPECTED, folder, SILENT_MS);
    assert.equal((await readdir(folder)).length, upload.files.length);
    return upload;
  } catch (error) {
    assert.ok(error instanceof HttpError, String(error));
    return error;
  } finally {
    await rm(folder, { recursive: true });
  }
}

const partList: fc.Arbitrary<Part[]> = fc.oneof(
  fc.constant<Part[]>([{ name: "title", value: "x" }]),
  fc
    .record({
      name: fc.constantFrom("file", "other"),
      filename: fc.constantFrom("a.txt", ""),
      content: fc.nat(9_000).map((size) => Buffer.alloc(size, "x")),
    })
    .map((file) => [file]),
  fc.nat(1_200).map((count) => Array.from({ length: count }, (_, n) => ({ name: `f${n}`, value: "" }))),
);

/** A body, where it is cut off, a byte that is overwritten, and the size of its chunks. */
const body = fc.record({
  parts: fc.array(partList, { maxLength: 5 }).map((lists) => lists.flat()),
  end: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
  damage: fc.option(fc.double({ min: 0, max: 0.999, noNaN: true })),
  chunk: fc.constantFrom(100, 4_096, 65_536, 10_000_000),
});

test("every body, however malformed, is read or refused", async () => {
  await fc.assert(
    fc.asyncProperty(body, async ({ parts, end, damage, chunk }) => {
      const whole = multipart(parts);
      const bytes = whole.subarray(0, Math.ceil(whole.length * (end ?? 1)));
      if (damage !== null && bytes.length > 0) bytes[Math.floor(bytes.length * damage)] = 0x0d;
      const chunks = [];
      for (let at = 0; at < bytes.length; at += chunk) chunks.push(bytes.subarray(at, at + chunk));
      const result = await read(chunks);
      if (result instanceof HttpError) assert.ok([400, 413].includes(result.status), result.message);
      if (end === null && damage === null && parts.length > 0)
        assert.equal(result instanceof HttpError, parts.length > 1_000);
    }),
    { numRuns: 150 },
  );
});
