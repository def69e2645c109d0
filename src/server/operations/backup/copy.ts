import { once } from "node:events";
import { Readable } from "node:stream";
import type pg from "pg";

/** A piece of a table; an archive holds one at a time in memory. */
const CHUNK = 4 * 1_048_576;

/** What node-postgres' connection can do and its types leave out. */
type Connection = pg.Connection & {
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
};

/** The part of a statement's life that node-postgres leaves to whoever submits it. */
type Copy = pg.Submittable & {
  handleCopyInResponse(connection: Connection): void;
  handleCopyData(message: { chunk: Buffer }): void;
  handleCommandComplete(message: { text: string }): void;
  handleReadyForQuery(): void;
  handleError(error: Error): void;
};

/** What `copy … to stdout` gives, in pieces of some 4 MB, and how many rows it was once they are read. */
export function copyOut(client: pg.Client, text: string): { chunks: AsyncIterable<Buffer>; rows(): number } {
  let socket: pg.Connection["stream"] | undefined;
  let rows = 0;
  let held: Buffer[] = [];
  let size = 0;
  const chunks = new Readable({
    objectMode: true,
    highWaterMark: 1,
    read: () => socket?.resume(),
    // Whoever stops reading wants no more: the rest of the table would have to be taken before anything else.
    destroy: (error, done) => {
      if (!chunks.readableEnded) socket?.destroy();
      done(error);
    },
  });
  const hand = () => {
    if (size > 0 && !chunks.push(Buffer.concat(held))) socket?.pause();
    held = [];
    size = 0;
  };
  const copy: Copy = {
    submit: (connection) => {
      socket = connection.stream;
      connection.query(text);
    },
    handleCopyInResponse: () => {},
    handleCopyData: ({ chunk }) => {
      // Copied, because its memory is used again for the next message.
      held.push(Buffer.from(chunk));
      size += chunk.length;
      if (size >= CHUNK) hand();
    },
    handleCommandComplete: (message) => (rows = rowsOf(message.text)),
    handleReadyForQuery: () => {
      hand();
      socket?.resume();
      chunks.push(null);
    },
    handleError: (error) => chunks.destroy(error),
  };
  client.query(copy);
  return { chunks, rows: () => rows };
}

/** A `copy … from stdin` under way. */
export type CopyIn = {
  /** Rejects with the database's error once it has refused a row. */
  write(chunk: Buffer): Promise<void>;
  /** How many rows there were. */
  end(): Promise<number>;
};

/** Starts a `copy … from stdin`; nothing else may use the client until its `end`. */
export async function copyIn(client: pg.Client, text: string): Promise<CopyIn> {
  const started = Promise.withResolvers<Connection>();
  const ended = Promise.withResolvers<number>();
  let rows = 0;
  const copy: Copy = {
    submit: (connection) => connection.query(text),
    handleCopyInResponse: (connection) => started.resolve(connection),
    handleCopyData: () => {},
    handleCommandComplete: (message) => (rows = rowsOf(message.text)),
    handleReadyForQuery: () => ended.resolve(rows),
    handleError: (error) => {
      started.reject(error);
      ended.reject(error);
    },
  };
  client.query(copy);
  ended.promise.catch(() => {});
  const connection = await started.promise;
  return {
    write: async (chunk) => {
      connection.sendCopyFromChunk(chunk);
      if (connection.stream.writableNeedDrain)
        await Promise.race([once(connection.stream, "drain"), ended.promise]);
    },
    end: () => {
      connection.endCopyFrom();
      return ended.promise;
    },
  };
}

const rowsOf = (command: string) => Number(/^COPY (\d+)$/.exec(command)?.[1] ?? 0);
