import { readFile } from "node:fs/promises";
import { z } from "zod";
import type { FieldErrors } from "../../answers/errors.ts";
import { invalid } from "../../answers/errors.ts";
import { nameError, nameOfMap, nameOfUrl } from "./artifact-name.ts";
import { readDebugId, type NewArtifact, type UnpackedFile } from "./new-artifact.ts";
import { readFacts } from "./read-facts.ts";
import { readZip } from "./read-zip.ts";

/** The file in which Sentry's clients say what the others are. */
const MANIFEST = "manifest.json";
const MAX_MANIFEST_BYTES = 16 * 1_048_576;

const manifestFile = z.object({
  url: z.string().catch(""),
  type: z.string().catch(""),
  headers: z.record(z.string(), z.unknown()).catch({}),
});
const manifestSchema = z.object({ files: z.record(z.string(), manifestFile) });
type Manifest = z.output<typeof manifestSchema>;

/**
 * The artifacts in a zip archive. With a `manifest.json` these are the files that it lists, under the names it gives them; without one,
 * all files under their paths. 422 on the fields of files with invalid names.
 */
export async function readArchive(archive: string, folder: string): Promise<NewArtifact[]> {
  const files = await readZip(archive, folder);
  const manifest = await readManifest(files.find(({ name }) => name === MANIFEST));
  const named = files.flatMap((file) => {
    const described = manifest === undefined ? undefined : (manifest.files[file.name] ?? null);
    if (described === null) return [];
    const name = described ? nameOfUrl(described.url) : nameInFolder(file.name);
    return [{ file: { ...file, name }, described }];
  });
  requireNames(named.map(({ file }) => file));
  const artifacts: NewArtifact[] = [];
  for (const { file, described } of named) {
    const facts = await readFacts(file);
    artifacts.push(described ? { ...facts, ...factsOf(file, described, facts) } : facts);
  }
  return artifacts;
}

/** 422 on the fields of all files whose names are invalid. */
export function requireNames(files: Pick<UnpackedFile, "field" | "name">[]): void {
  const errors: FieldErrors = {};
  for (const { field, name } of files) {
    const error = nameError(name);
    if (error !== undefined) errors[field] = [error];
  }
  if (Object.keys(errors).length > 0) throw invalid(errors);
}

const nameInFolder = (path: string) => (path.startsWith("~/") ? path : `~/${path}`);

async function readManifest(file: UnpackedFile | undefined): Promise<Manifest | undefined> {
  if (!file) return undefined;
  const text = file.size > MAX_MANIFEST_BYTES ? "" : await readFile(file.path, "utf8");
  const { data } = manifestSchema.safeParse(parsed(text));
  if (!data) throw invalid({ [file.field]: ["must be a manifest: JSON with an object files"] });
  return { files: Object.assign(Object.create(null) as Manifest["files"], data.files) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What the manifest says, else what the file itself says. Names of headers have no case. */
function factsOf(
  { name }: UnpackedFile,
  { type, headers }: Manifest["files"][string],
  facts: NewArtifact,
): Partial<NewArtifact> {
  const header = (wanted: string) =>
    Object.entries(headers).find(([key]) => key.toLowerCase() === wanted)?.[1];
  const map = header("sourcemap") ?? header("x-sourcemap");
  const isMap = type === "source_map";
  return {
    type: isMap ? "source_map" : "source",
    debug_id: readDebugId(header("debug-id")) ?? facts.debug_id,
    map_name: isMap ? null : typeof map === "string" ? nameOfMap(name, map) : facts.map_name,
  };
}
