/* Bundles and minifies original.ts, then runs the bundle with source maps enabled. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildSync } from "esbuild";

const folder = mkdtempSync(join(tmpdir(), "signalbox-bundle-"));
const outfile = join(folder, "bundle.mjs");
buildSync({
  entryPoints: [join(import.meta.dirname, "original.ts")],
  outfile,
  bundle: true,
  minify: true,
  keepNames: true,
  sourcemap: true,
  platform: "node",
  format: "esm",
});
const { status, stderr } = spawnSync(process.execPath, ["--enable-source-maps", outfile], {
  encoding: "utf8",
});
rmSync(folder, { recursive: true });
process.stderr.write(stderr);
process.exit(status ?? 99);
