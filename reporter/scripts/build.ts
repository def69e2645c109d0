/**
 * Builds ES modules and their declarations in dist/, and CommonJS in dist/cjs/. Each entry is bundled into one file,
 * because loading one file is faster than loading twenty.
 */
import { execFileSync } from "node:child_process";
import { globSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { build, type BuildOptions } from "esbuild";
import { minify } from "terser";

const root = join(import.meta.dirname, "..");
const dist = join(root, "dist");
const browser = "src/browser/index.ts";
const integrations = readdirSync(join(root, "src/integrations")).filter((name) => !name.includes(".test."));
const forNode = ["src/index.ts", ...integrations.map((name) => `src/integrations/${name}`)];

rmSync(dist, { recursive: true, force: true });
await bundle("esm", dist);
await bundle("cjs", join(dist, "cjs"));
declare();

async function bundle(format: "esm" | "cjs", outdir: string) {
  const common: BuildOptions = { absWorkingDir: root, outbase: "src", outdir, bundle: true, format };
  await build({ ...common, entryPoints: forNode, platform: "node", target: "node18" });
  await build({ ...common, entryPoints: [browser], platform: "browser", target: "es2022" });
  // For browsers, terser: its output is 5% smaller than esbuild's.
  const path = join(outdir, "browser/index.js");
  const { code = "" } = await minify(readFileSync(path, "utf8"), {
    module: format === "esm",
    toplevel: true,
    ecma: 2020,
    compress: { passes: 3 },
  });
  writeFileSync(path, code);
}

function declare() {
  const compiler = join(root, "../node_modules/typescript/bin/tsc");
  execFileSync(process.execPath, [compiler, "-p", join(root, "tsconfig.build.json")], { stdio: "inherit" });
  // TypeScript needs separate declarations for both module formats. It tells them apart by the folder's package.json.
  writeFileSync(join(dist, "cjs/package.json"), '{ "type": "commonjs" }\n');
  for (const path of globSync("**/*.d.ts", { cwd: dist })) {
    const text = readFileSync(join(dist, path), "utf8").replace(/(from "\..*)\.ts"/g, '$1.js"');
    for (const copy of [join(dist, path), join(dist, "cjs", path)]) {
      mkdirSync(dirname(copy), { recursive: true });
      writeFileSync(copy, text);
    }
  }
}
