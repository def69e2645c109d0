import type { ArtifactType } from "../../../shared/source-maps.ts";

/** A file of an upload, in a temporary folder. */
export type UnpackedFile = {
  /** The field to name in errors: `files.0`. */
  field: string;
  name: string;
  path: string;
  size: number;
  sha256: Buffer;
};

/** A file to store, with what says which code it belongs to. */
export type NewArtifact = UnpackedFile & {
  type: ArtifactType;
  debug_id: string | null;
  /** Of a source: the name of its source map. */
  map_name: string | null;
};

/** A debug id in lower case with dashes; null for anything else. */
export function readDebugId(sent: unknown): string | null {
  const digits = typeof sent === "string" ? /^[0-9a-f]{32}$/i.exec(sent.replaceAll("-", ""))?.[0] : undefined;
  return digits === undefined
    ? null
    : digits.toLowerCase().replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
