import { cp, mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { build as esbuild } from "esbuild";
import { build as vite } from "vite";
import { buildPackage } from "../../../reporter/scripts/build-package.ts";

/** What runs the bundle, and what reports its errors. Each pair is an entry of the shop. */
export const PLATFORMS = ["browser", "node"] as const;
export const SENDERS = ["reporter", "sentry"] as const;

export type Platform = (typeof PLATFORMS)[number];
export type Sender = (typeof SENDERS)[number];

/** Node loads these instead of bundling them: they patch modules as they are loaded. */
export const EXTERNAL = ["@sentry/node"];

type Bundle = { folder: string; entry: string; outdir: string; platform: Platform };

const BUNDLERS = {
  esbuild: async ({ folder, entry, outdir, platform }: Bundle) => {
    await esbuild({
      absWorkingDir: folder,
      entryPoints: { app: entry },
      outdir,
      bundle: true,
      minify: true,
      sourcemap: true,
      format: "esm",
      platform,
      external: EXTERNAL,
      outExtension: { ".js": ".mjs" },
    });
  },
  vite: async ({ folder, entry, outdir, platform }: Bundle) => {
    await vite({
      root: folder,
      configFile: false,
      logLevel: "error",
      build: {
        outDir: outdir,
        minify: true,
        sourcemap: "hidden",
        ssr: platform === "node",
        rollupOptions: { input: { app: entry }, output: { entryFileNames: "app.mjs" } },
      },
      ssr: { noExternal: true, external: EXTERNAL },
    });
  },
};

export type Bundler = keyof typeof BUNDLERS;
export const BUNDLER_NAMES = Object.keys(BUNDLERS) as Bundler[];

/** Installs the reporter as it is in this checkout. */
export async function installReporter(folder: string): Promise<void> {
  const target = path.join(folder, "node_modules/@signalbox/reporter");
  await mkdir(target, { recursive: true });
  await cp(
    path.join(import.meta.dirname, "../../../reporter/package.json"),
    path.join(target, "package.json"),
  );
  await buildPackage(path.join(target, "dist"));
}

/** Bundles and minifies each entry into `app.mjs` and its source map, in `<bundler>/<platform>-<sender>` of `outdir`. */
export async function bundleShop(folder: string, outdir: string): Promise<void> {
  await writeFile(path.join(folder, "package.json"), '{ "name": "shop", "type": "module" }');
  for (const bundler of BUNDLER_NAMES)
    for (const platform of PLATFORMS)
      for (const sender of SENDERS) {
        const name = `${platform}-${sender}`;
        const entry = path.join(folder, `${name}.js`);
        await BUNDLERS[bundler]({ folder, entry, outdir: path.join(outdir, bundler, name), platform });
      }
}
