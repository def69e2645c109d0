/**
 * Builds the widget into dist/widget of the repository: `widget.js` and `crash.js`, which have fixed addresses, and the files
 * that they load, whose names contain a hash of their content.
 */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { build, transform, type BuildOptions, type Plugin } from "esbuild";

const root = join(import.meta.dirname, "..");
const output = process.argv[2] ?? join(root, "../dist/widget");

/** A style sheet becomes a string, because constructed style sheets need no permission from the page's policy. */
const styleSheets: Plugin = {
  name: "style-sheets",
  setup: ({ onLoad }) =>
    onLoad({ filter: /\.css$/ }, async ({ path }) => {
      const { code } = await transform(readFileSync(path, "utf8"), { loader: "css", minify: true });
      return { contents: code.trim(), loader: "text" };
    }),
};

const shared = {
  absWorkingDir: root,
  bundle: true,
  minify: true,
  write: false,
  platform: "browser",
  target: "es2022",
  plugins: [styleSheets],
  outdir: output,
} satisfies BuildOptions;

const languages = readdirSync(join(root, "src/texts"))
  .filter((name) => !/^(en|texts)\.ts$/.test(name))
  .map((name) => basename(name, ".ts"));

const modules = await build({
  ...shared,
  entryPoints: ["src/form/form.ts", ...languages.map((language) => `src/texts/${language}.ts`)],
  entryNames: "[name]-[hash]",
  chunkNames: "part-[hash]",
  format: "esm",
  splitting: true,
});
const names = modules.outputFiles.map(({ path }) => basename(path));
const addressOf = (name: string) => `widget/${names.find((file) => file.startsWith(`${name}-`)) ?? ""}`;

const scripts = await build({
  ...shared,
  entryPoints: ["src/loader/widget.ts", "src/crash/crash.ts"],
  entryNames: "[name]",
  format: "iife",
  define: {
    FORM_FILE: JSON.stringify(addressOf("form")),
    LANGUAGE_FILES: JSON.stringify(Object.fromEntries(languages.map((name) => [name, addressOf(name)]))),
  },
});

// The public form is a page of its own: sharing files with the widget would make the widget load more of them.
const worker = await build({
  ...shared,
  entryPoints: ["src/page/work.ts"],
  entryNames: "[name]-[hash]",
  format: "iife",
});
const page = await build({
  ...shared,
  entryPoints: ["src/page/page.ts"],
  entryNames: "[name]-[hash]",
  chunkNames: "pagepart-[hash]",
  format: "esm",
  splitting: true,
  define: { WORK_FILE: JSON.stringify(`/widget/${basename(worker.outputFiles[0]?.path ?? "")}`) },
});

mkdirSync(output, { recursive: true });
// widget.js comes last: it names the other files, and its time tells whether the build is older than its sources.
const files = [modules, worker, page, scripts]
  .flatMap(({ outputFiles }) => outputFiles)
  .toSorted((a, b) => Number(a.path.endsWith("/widget.js")) - Number(b.path.endsWith("/widget.js")));
for (const { path, contents } of files) {
  // Rename, so that a running server never reads half a file.
  writeFileSync(`${path}.new`, contents);
  renameSync(`${path}.new`, path);
}
const built = new Set(files.map(({ path }) => basename(path)));
for (const name of readdirSync(output)) if (!built.has(name)) rmSync(join(output, name));
