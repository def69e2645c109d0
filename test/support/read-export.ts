import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { createGunzip } from "node:zlib";
import { extract } from "tar-stream";

// oxlint-disable-next-line typescript/no-explicit-any -- tests look into the lines
type Line = any;

export type ReadExport = { names: string[]; files: Map<string, Buffer>; linesOf: (kind: string) => Line[] };

/** The members of a gzipped tar archive, in order. */
export async function readExport(archive: Buffer): Promise<ReadExport> {
  const files = new Map<string, Buffer>();
  const members = Readable.from([archive]).pipe(createGunzip()).pipe(extract());
  for await (const member of members) files.set(member.header.name, await buffer(member));
  const linesOf = (kind: string) =>
    String(files.get(`${kind}.jsonl`))
      .split("\n")
      .filter((line) => line !== "")
      .map((line): Line => JSON.parse(line));
  return { names: [...files.keys()], files, linesOf };
}
