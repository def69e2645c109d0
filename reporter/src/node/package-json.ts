import { attempt, filled, property } from "../core/safe.ts";
import { builtin } from "./builtin.ts";

/** A package.json and where it lies. */
export interface Package {
  folder: string;
  content: unknown;
}

/** The package.json the program belongs to: the nearest one above its main script, else above the working folder. */
export function programPackage(): Package | undefined {
  const script = filled(process.argv[1]);
  const path = builtin("node:path");
  const from = script
    ? path.dirname(attempt(() => builtin("node:fs").realpathSync(script)) ?? script)
    : undefined;
  return (
    (from && nearest(from, "package.json")) || nearest(attempt(() => process.cwd()) ?? "/", "package.json")
  );
}

/** The version of an installed package, seen from the program's folder. */
export function installedVersion(name: string, from: string): string | undefined {
  return filled(property(nearest(from, `node_modules/${name}/package.json`)?.content, "version"));
}

function nearest(from: string, file: string): Package | undefined {
  const path = builtin("node:path");
  for (let folder = from; ; folder = path.dirname(folder)) {
    const content = attempt(() =>
      JSON.parse(builtin("node:fs").readFileSync(path.join(folder, file), "utf8")),
    );
    if (content) return { folder, content };
    if (folder === path.dirname(folder)) return undefined;
  }
}
