import { createReadStream } from "node:fs";
import { writeFile } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { createGunzip, gzipSync } from "node:zlib";
import { extract, pack, type Header } from "tar-stream";

export type BackupPart = { header: Partial<Header> & { name: string }; content: Buffer };

/** The members of an archive. */
export async function readArchive(archive: string): Promise<BackupPart[]> {
  const parts: BackupPart[] = [];
  const entries = extract();
  const reading = pipeline(createReadStream(archive), createGunzip(), entries);
  for await (const entry of entries) {
    const chunks: Buffer[] = [];
    for await (const chunk of entry) chunks.push(chunk as Buffer);
    parts.push({ header: entry.header, content: Buffer.concat(chunks) });
  }
  await reading;
  return parts;
}

/** Writes an archive with these members at the path. */
export async function writeArchive(archive: string, parts: BackupPart[]): Promise<void> {
  const tar = pack();
  for (const { header, content } of parts)
    tar.entry({ ...header, size: content.length }, content).on("error", () => {});
  tar.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of tar) chunks.push(chunk as Buffer);
  await writeFile(archive, gzipSync(Buffer.concat(chunks)));
}
