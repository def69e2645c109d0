import { createHash } from "node:crypto";
import { Transform, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { pack } from "tar-stream";
import type { Member } from "./manifest.ts";

/** Writes a gzipped tar archive. */
export type ArchiveWriter = {
  /** Members added so far. */
  members: Member[];
  /** The size of the archive so far. */
  bytes(): number;
  /** Resolves when the stream has accepted the member. Rejects if the destination fails. */
  add(name: string, content: Buffer): Promise<void>;
  /** Resolves when the destination has received everything. */
  finish(): Promise<void>;
  abandon(): Promise<void>;
};

export function writeArchive(destination: Writable, madeAt: Date): ArchiveWriter {
  const tar = pack();
  let bytes = 0;
  const counter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  const written = pipeline(tar, createGzip(), counter, destination);
  written.catch(() => {});
  const members: Member[] = [];
  return {
    members,
    bytes: () => bytes,
    add: async (name, content) => {
      const added = new Promise<void>((resolve, reject) => {
        const header = { name, size: content.length, mode: 0o600, mtime: madeAt };
        tar.entry(header, content, (error) => (error ? reject(error) : resolve()));
      });
      added.catch(() => {});
      await Promise.race([added, written]).catch(async (error: unknown) => {
        // If the destination has failed, report its error.
        if (tar.destroyed) await written;
        throw error;
      });
      members.push({
        name,
        size: content.length,
        sha256: createHash("sha256").update(content).digest("hex"),
      });
    },
    finish: async () => {
      tar.finalize();
      await written;
    },
    abandon: async () => {
      tar.destroy();
      await written.catch(() => {});
    },
  };
}
