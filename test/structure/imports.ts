import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** A file below a root, and the files below the same root that it imports. */
export type SourceFile = { file: string; imports: string[] };

// Static imports and exports, type imports included; dynamic imports; workers and their like by `new URL`.
const STATIC = /^(?:import|export)\b(?:[^"';]*?\bfrom)?\s*["'](\.[^"']+)["']/gm;
const DYNAMIC = /\b(?:import\(|new URL\()\s*["'](\.[^"']+)["']/g;

/** Reads the source files of a folder and resolves their relative imports. Tests are left out: they may import anything. */
export function readImports(root: string): SourceFile[] {
  const files = readdirSync(root, { recursive: true, encoding: "utf8" })
    .map((file) => file.replaceAll(path.sep, "/"))
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
    .toSorted();
  const known = new Set(files);
  return files.map((file) => {
    const text = readFileSync(path.join(root, file), "utf8");
    const found = [STATIC, DYNAMIC].flatMap((pattern) =>
      [...text.matchAll(pattern)].map((match) => match[1]),
    );
    const imports = found.map((specifier) => path.posix.join(path.posix.dirname(file), specifier ?? ""));
    return { file, imports: [...new Set(imports)].filter((target) => known.has(target)) };
  });
}

export const folderOf = (file: string) => path.posix.dirname(file);

/** Imports of folders that do not stand below the importing file's folder, as `a.ts imports b.ts`. */
export function upwardImports(files: SourceFile[], folders: readonly string[]): string[] {
  const heightOf = (file: string) => (folderOf(file) === "." ? -1 : folders.indexOf(folderOf(file)));
  return files.flatMap(({ file, imports }) =>
    imports
      .filter((target) => folderOf(target) !== folderOf(file) && heightOf(target) <= heightOf(file))
      .map((target) => `${file} imports ${target}`),
  );
}

/** Each cycle of imports as `a.ts → b.ts → a.ts`; empty when there is none. */
export function cycles(files: SourceFile[]): string[] {
  const importsOf = new Map(files.map(({ file, imports }) => [file, imports]));
  const done = new Set<string>();
  const found: string[] = [];
  const visit = (file: string, path: string[]) => {
    const start = path.indexOf(file);
    if (start >= 0) return void found.push([...path.slice(start), file].join(" → "));
    if (done.has(file)) return;
    for (const target of importsOf.get(file) ?? []) visit(target, [...path, file]);
    done.add(file);
  };
  for (const { file } of files) visit(file, []);
  return found;
}
