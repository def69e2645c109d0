import { attempt, filled, property } from "../core/safe.ts";
import { builtin } from "./builtin.ts";

/** A package.json and its folder. */
export interface Package {
  folder: string;
  content: unknown;
}

/**
 * The program's package.json: the nearest one at or above its main script, else at or above the working directory.
 * Skips those of installed packages, because a runner such as `next start` is not the program, and those without a name, which only
 * set the module format of a folder.
 */
export function programPackage(): Package | undefined {
  const script = filled(process.argv[1]);
  const path = builtin("node:path");
  const from = script
    ? path.dirname(attempt(() => builtin("node:fs").realpathSync(script)) ?? script)
    : undefined;
  return (
    (from && nearest(from, "package.json", isProgram)) ||
    nearest(attempt(() => process.cwd()) ?? "/", "package.json", isProgram)
  );
}

function isProgram({ folder, content }: Package): boolean {
  return !/[\\/]node_modules([\\/]|$)/.test(folder) && filled(property(content, "name")) !== undefined;
}

/** The version of an installed package, resolved from the program's folder. */
export function installedVersion(name: string, from: string): string | undefined {
  return filled(property(nearest(from, `node_modules/${name}/package.json`)?.content, "version"));
}

function nearest(
  from: string,
  file: string,
  accepts: (found: Package) => boolean = () => true,
): Package | undefined {
  const { dirname } = builtin("node:path");
  for (let folder = from; ; folder = dirname(folder)) {
    // Not `join`, which examines each character: with a long path, that makes V8 load its optimizing compiler.
    const content = attempt(() => JSON.parse(builtin("node:fs").readFileSync(`${folder}/${file}`, "utf8")));
    if (content && accepts({ folder, content })) return { folder, content };
    if (folder === dirname(folder)) return undefined;
  }
}
