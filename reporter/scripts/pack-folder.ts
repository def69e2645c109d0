import { readFileSync } from "node:fs";
import { relative, sep } from "node:path";
import { buffer } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { pack } from "tar-stream";

/** The time that npm writes, so that the same files make the same archive. */
const mtime = new Date("1985-10-26T08:15:00Z");

/** Packs files of a folder like `npm pack`: gzip-compressed, below `package/`, without times and owners. */
export async function packFolder(folder: string, files: string[]): Promise<Buffer> {
  const archive = pack();
  for (const file of [...files].sort()) {
    const name = `package/${relative(folder, file).replaceAll(sep, "/")}`;
    archive.entry({ name, mtime, mode: 0o644 }, readFileSync(file));
  }
  archive.finalize();
  return gzipSync(await buffer(archive), { level: 9 });
}
