import { statSync } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import type { Artifact } from "../../../src/shared/source-maps.ts";
import type { Command } from "../command.ts";
import { EXIT, Failure, wrongUsage } from "../failure.ts";
import { writeJson, writeLine } from "../output.ts";
import { oneLine } from "../terminal-text.ts";

/** A request holds this much in memory, unless a single file is larger. */
const MAX_BATCH_BYTES = 32 * 1_048_576;
const MAX_BATCH_FILES = 100;

type LocalFile = { file: string; name: string; size: number };

export const uploadSourceMaps: Command = {
  name: "sourcemaps upload",
  summary: "Upload the source maps and scripts of a folder",
  arguments: ["FOLDER"],
  options: {
    release: { type: "string", value: "VERSION", help: "required: the release that the app reports" },
    prefix: { type: "string", value: "PATH", help: "the folder's path below the origin, such as /assets" },
  },
  fields: { files: "FOLDER" },
  async run({ words: [folder = ""], api, text, required, projectPath, json }) {
    const release = required("release");
    if (release === "." || release === "..") throw wrongUsage("--release must not be . or ..");
    const files = await findFiles(folder, text("prefix") ?? "");
    const target = `${projectPath()}/releases/${encodeURIComponent(release)}/artifacts`;
    const artifacts: Artifact[] = [];
    for (const batch of batchesOf(files))
      artifacts.push(...(await api().upload<{ data: Artifact[] }>(target, await formOf(batch))).data);
    if (json) return writeJson(artifacts);
    const bytes = files.reduce((sum, { size }) => sum + size, 0);
    writeLine(
      oneLine(
        `Uploaded ${files.length} files (${(bytes / 1_048_576).toFixed(1)} MiB) to release ${release}.`,
      ),
    );
  },
};

/** Scripts and maps, in the order of their names. Fails if there is no map. */
async function findFiles(folder: string, prefix: string): Promise<LocalFile[]> {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw wrongUsage(`FOLDER: ${folder} is not a folder.`);
  const below = prefix.replace(/^~?\/*|\/+$/g, "");
  const files: LocalFile[] = [];
  for (const relative of await readdir(folder, { recursive: true })) {
    const parts = relative.split(path.sep);
    if (!/\.(?:[cm]?js|map)$/i.test(relative) || parts.includes("node_modules")) continue;
    const file = path.join(folder, relative);
    const { size, isFile } = await statOf(file);
    if (isFile)
      files.push({ file, size, name: `~/${[below, ...parts].filter((part) => part !== "").join("/")}` });
  }
  if (!files.some(({ name }) => name.endsWith(".map")))
    throw new Failure(EXIT.refused, `There are no source maps in ${folder}. Turn them on in the build.`);
  return files.sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function statOf(file: string) {
  // A link may lead nowhere.
  const stats = await stat(file).catch(() => undefined);
  return { size: stats?.size ?? 0, isFile: stats?.isFile() === true };
}

function batchesOf(files: LocalFile[]): LocalFile[][] {
  const batches: LocalFile[][] = [];
  let bytes = Infinity;
  for (const file of files) {
    const batch = batches.at(-1);
    if (batch === undefined || batch.length === MAX_BATCH_FILES || bytes + file.size > MAX_BATCH_BYTES) {
      batches.push([file]);
      bytes = file.size;
    } else {
      batch.push(file);
      bytes += file.size;
    }
  }
  return batches;
}

async function formOf(files: LocalFile[]): Promise<FormData> {
  const form = new FormData();
  for (const [index, { file, name }] of files.entries())
    form.append(`files[${index}]`, new Blob([await readFile(file)]), name);
  return form;
}
