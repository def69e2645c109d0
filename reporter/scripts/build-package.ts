import { execFileSync } from "node:child_process";
import { globSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { build, type BuildOptions, type Plugin } from "esbuild";
import { minify } from "terser";

const root = join(import.meta.dirname, "..");
const integrations = readdirSync(join(root, "src/integrations")).filter((name) => !name.includes(".test."));
const forNode = ["src/index.ts", ...integrations.map((name) => `src/integrations/${name}`)];

/**
 * Builds ES modules and their declarations in `dist`, and CommonJS in `dist`/cjs. Each entry is bundled into one file,
 * because loading one file is faster than loading twenty.
 */
export async function buildPackage(dist: string): Promise<void> {
  rmSync(dist, { recursive: true, force: true });
  await Promise.all([bundle("esm", dist), bundle("cjs", join(dist, "cjs")), bundleCommand(dist)]);
  declare(dist);
}

/** Properties that only the reporter's own code in the same bundle uses, so that they may have short names. */
const internal =
  /^(failures|reduced|sending|repeated|facts|hold|held|sendNow|settle|isPaused|deadline|keep|forget|group|random|fit|pending|leftOut|delivery|trail|inScope|explain|timer|report|reporter)$/;

/**
 * Bundles a source for browsers into the file `output`.
 *
 * @param plugins such as one that keeps parts in files of their own
 */
export async function bundleForBrowsers(
  source: string,
  output: string,
  format: NonNullable<BuildOptions["format"]>,
  plugins: Plugin[] = [],
): Promise<void> {
  await build({
    absWorkingDir: root,
    entryPoints: [source],
    outfile: output,
    bundle: true,
    platform: "browser",
    target: "es2022",
    format,
    plugins,
  });
  // Terser's output is 5% smaller than esbuild's.
  const { code = "" } = await minify(readFileSync(output, "utf8"), {
    module: format === "esm",
    toplevel: true,
    ecma: 2020,
    compress: { passes: 5, unsafe_arrows: true, unsafe_methods: true, pure_getters: true, keep_fargs: false },
    mangle: { properties: { regex: internal } },
  });
  writeFileSync(output, code);
}

async function bundle(format: "esm" | "cjs", outdir: string) {
  await Promise.all([
    build({
      absWorkingDir: root,
      outbase: "src",
      outdir,
      bundle: true,
      format,
      entryPoints: forNode,
      platform: "node",
      target: "node18",
      minifyIdentifiers: true,
      minifySyntax: true,
      // Frameworks, which the application has.
      packages: "external",
    }),
    build({
      absWorkingDir: root,
      outbase: "src",
      outdir,
      bundle: true,
      format,
      entryPoints: ["src/fetch/index.ts"],
      platform: "neutral",
      target: "es2022",
      minify: true,
    }),
    bundleForBrowsers("src/browser/index.ts", join(outdir, "browser/index.js"), format, [
      separate("./later"),
    ]),
    bundleForBrowsers("src/browser/later.ts", join(outdir, "browser/later.js"), format),
  ]);
}

/** The command uses the package's own module instead of a second copy. */
async function bundleCommand(outdir: string) {
  await build({
    absWorkingDir: root,
    entryPoints: ["src/cli.ts"],
    outdir,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node18",
    plugins: [separate("./index")],
  });
}

/** Keeps a module in a file of its own instead of bundling it. */
function separate(path: string): Plugin {
  return {
    name: "separate",
    setup: ({ onResolve }) =>
      onResolve({ filter: /\.ts$/ }, (found) =>
        found.path === `${path}.ts` && found.kind !== "entry-point"
          ? { path: `${path}.js`, external: true }
          : undefined,
      ),
  };
}

function declare(dist: string) {
  const compiler = join(root, "../node_modules/typescript/bin/tsc");
  const project = join(root, "tsconfig.build.json");
  execFileSync(process.execPath, [compiler, "-p", project, "--outDir", dist], { stdio: "inherit" });
  // TypeScript needs separate declarations for both module formats. It tells them apart by the folder's package.json.
  mkdirSync(join(dist, "cjs"), { recursive: true });
  writeFileSync(join(dist, "cjs/package.json"), '{ "type": "commonjs" }\n');
  for (const path of globSync("**/*.d.ts", { cwd: dist })) {
    const text = readFileSync(join(dist, path), "utf8").replace(/(from "\..*)\.ts"/g, '$1.js"');
    for (const copy of [join(dist, path), join(dist, "cjs", path)]) {
      mkdirSync(dirname(copy), { recursive: true });
      writeFileSync(copy, text);
    }
  }
}
