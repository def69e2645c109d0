import { createReadStream, createWriteStream } from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import { finished, pipeline } from "node:stream/promises";
import { create as contentDisposition } from "content-disposition";
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { csvLine } from "../../shared/csv.ts";
import { limitConcurrency } from "../answers/limit-concurrency.ts";
import { JSON_TYPE } from "../answers/operation.ts";
import type { Db, Tx } from "../db/connect.ts";
import type { Uploads } from "../files/uploads.ts";
import { disconnectSignal } from "../http/disconnect-signal.ts";

/** Each needs a database connection of its own for a few seconds. Further requests get 503. */
const limited = limitConcurrency(4);

type CsvList<Row> = {
  /** The name of the file without its extension. */
  name: string;
  fields: readonly (keyof Row & string)[];
  /** Reads the page that follows `cursor`, or the first one. */
  readPage: (
    db: Db,
    cursor: string | undefined,
  ) => Promise<{ data: Row[]; meta: { next_cursor: string | null } }>;
};

/**
 * Sends all rows of a list in one snapshot. They are written to a temporary file first: slow clients do not hold a database
 * transaction open, and an error is a response of its own instead of the end of an incomplete file.
 */
export async function sendCsv<Row>(
  { db }: Pick<FastifyRequest, "db">,
  reply: FastifyReply,
  uploads: Uploads,
  list: CsvList<Row>,
): Promise<FastifyReply> {
  const signal = disconnectSignal(reply.raw);
  await uploads.useFolder(async (folder) => {
    const file = path.join(folder, "list.csv");
    await limited(() =>
      (db as Db)
        .transaction()
        .setIsolationLevel("repeatable read")
        .setAccessMode("read only")
        .execute((tx) => pipeline(Readable.from(linesOf(tx, list)), createWriteStream(file), { signal })),
    );
    void reply
      .headers({
        "content-type": "text/csv; charset=utf-8",
        "content-disposition": contentDisposition(`${list.name}.csv`),
      })
      .send(createReadStream(file));
    // A client that disconnects needs no response.
    await finished(reply.raw).catch(() => {});
  });
  return reply;
}

async function* linesOf<Row>(tx: Tx, { fields, readPage }: CsvList<Row>): AsyncGenerator<string> {
  yield csvLine(fields);
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const page = await readPage(tx, cursor);
    yield page.data.map((row) => csvLine(fields.map((field) => row[field]))).join("");
    cursor = page.meta.next_cursor;
  }
}

/** The response schema of a list that is also available as CSV. */
export const listOrCsv = <List extends z.ZodType>(list: List) => ({
  content: { [JSON_TYPE]: { schema: list }, "text/csv": { schema: z.unknown() } },
});

/** The names of a schema's fields, in its order. */
export const fieldsOf = <Shape extends z.ZodRawShape>(schema: z.ZodObject<Shape>) =>
  Object.keys(schema.shape) as (keyof Shape & string)[];
