import { once } from "node:events";
import { Readable } from "node:stream";
import type pg from "pg";

/** Size of the chunks of a table, which the archive writer buffers one at a time. */
const CHUNK_BYTES = 4 * 1_048_576;

/** Methods that node-postgres has but its types lack. */
type Connection = pg.Connection & {
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
};

/** The callbacks that node-postgres requires from a submitted query. */
type Copy = pg.Submittable & {
  handleCopyInResponse(connection: Connection): void;
  handleCopyData(message: { chunk: Buffer }): void;
  handleCommandComplete(message: { text: string }): void;
  handleReadyForQuery(): void;
  handleError(error: Error): void;
};

/** The output of `copy … to stdout` in chunks of about 4 MiB. `rows()` is valid once all chunks have been read. */
export function copyOut(client: pg.Client, text: string): { chunks: AsyncIterable<Buffer>; rows(): number } {
  let socket: pg.Connection["stream"] | undefined;
  let rows = 0;
  let buffered: Buffer[] = [];
  let size = 0;
  const chunks = new Readable({
    objectMode: true,
    highWaterMark: 1,
    read: () => socket?.resume(),
    // If the reader stops early, close the connection: it is unusable until the rest of the table has been received.
    destroy: (error, done) => {
      if (!chunks.readableEnded) socket?.destroy();
      done(error);
    },
  });
  const flush = () => {
    if (size > 0 && !chunks.push(Buffer.concat(buffered))) socket?.pause();
    buffered = [];
    size = 0;
  };
  const copy: Copy = {
    submit: (connection) => {
      socket = connection.stream;
      connection.query(text);
    },
    handleCopyInResponse: () => {},
    handleCopyData: ({ chunk }) => {
      // Copy the chunk: node-postgres reuses its memory for the next message.
      buffered.push(Buffer.from(chunk));
      size += chunk.length;
      if (size >= CHUNK_BYTES) flush();
    },
    handleCommandComplete: (message) => (rows = rowsOf(message.text)),
    handleReadyForQuery: () => {
      flush();
      socket?.resume();
      chunks.push(null);
    },
    handleError: (error) => chunks.destroy(error),
  };
  client.query(copy);
  return { chunks, rows: () => rows };
}

/** A `copy … from stdin` in progress. */
export type CopyIn = {
  /** Rejects with the database's error if a row was rejected. */
  write(chunk: Buffer): Promise<void>;
  /** Returns the number of rows. */
  end(): Promise<number>;
};

/** Starts a `copy … from stdin`. The client must not be used for anything else until `end` resolves. */
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
