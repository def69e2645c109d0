import { createRequire } from "node:module";
import path from "node:path";
import { build as esbuild, transform, type Plugin as EsbuildPlugin } from "esbuild";
import { build as vite, type PluginOption } from "vite";
import { EXTERNAL } from "./bundle-shop.ts";
import type { PluginBuild, PluginName } from "./plugins.ts";

/** A program of its own, because plugins look for the bundles below the working directory. Its argument is a PluginBuild in JSON. */
const build = JSON.parse(process.argv[2] ?? "") as PluginBuild;

/** Packages that this repository does not have, nor their types. */
const installed = createRequire(path.resolve("package.json"));
type MakePlugin<Plugin = object> = (options: object) => Plugin;

/** The documented options of all plugins. Without an error handler, some of them only warn. */
const OPTIONS = {
  url: build.url,
  org: "shop",
  project: build.project,
  authToken: build.token,
  release: { name: build.release },
  telemetry: false,
  errorHandler: (error: Error) => {
    throw error;
  },
};

async function withVite() {
  const { sentryVitePlugin } = installed("@sentry/vite-plugin") as {
    sentryVitePlugin: MakePlugin<PluginOption>;
  };
  await vite({
    configFile: false,
    logLevel: "error",
    plugins: [sentryVitePlugin(OPTIONS)],
    build: {
      outDir: build.dist,
      sourcemap: true,
      rollupOptions: { input: { app: build.entry }, output: { entryFileNames: "[name].mjs" } },
    },
  });
}

async function withEsbuild() {
  const { sentryEsbuildPlugin } = installed("@sentry/esbuild-plugin") as {
    sentryEsbuildPlugin: MakePlugin<EsbuildPlugin>;
  };
  await esbuild({
    entryPoints: { app: build.entry },
    outdir: build.dist,
    bundle: true,
    minify: true,
    sourcemap: true,
    format: "esm",
    platform: "node",
    external: EXTERNAL,
    outExtension: { ".js": ".mjs" },
    logLevel: "error",
    plugins: [sentryEsbuildPlugin(OPTIONS)],
  });
}

type Compiler = { close(done: (error?: Error | null) => void): void };
type Stats = { hasErrors(): boolean; toString(what: string): string };
type Webpack = (options: object, done: (error: Error | null, stats?: Stats) => void) => Compiler;

async function withWebpack() {
  const webpack = installed("webpack") as Webpack;
  const { sentryWebpackPlugin } = installed("@sentry/webpack-plugin") as { sentryWebpackPlugin: MakePlugin };
  const options = {
    mode: "production",
    entry: { app: build.entry },
    devtool: "source-map",
    output: { path: build.dist, filename: "[name].mjs" },
    plugins: [sentryWebpackPlugin(OPTIONS)],
  };
  await new Promise<void>((resolve, reject) => {
    const compiler = webpack(options, (error, stats) => {
      const failure = error ?? (stats?.hasErrors() ? new Error(stats.toString("errors-only")) : undefined);
      compiler.close((closing) => (failure || closing ? reject(failure ?? closing) : resolve()));
    });
  });
}

type Rollup = (input: object) => Promise<{ write(output: object): Promise<unknown>; close(): Promise<void> }>;

async function withRollup() {
  const { rollup } = installed("rollup") as { rollup: Rollup };
  const { nodeResolve } = installed("@rollup/plugin-node-resolve") as { nodeResolve: MakePlugin };
  const { sentryRollupPlugin } = installed("@sentry/rollup-plugin") as { sentryRollupPlugin: MakePlugin };
  const minify = {
    name: "minify",
    renderChunk: (code: string) => transform(code, { minify: true, sourcemap: true, format: "esm" }),
  };
  const bundle = await rollup({
    input: { app: build.entry },
    plugins: [nodeResolve({ exportConditions: ["node"] }), minify, sentryRollupPlugin(OPTIONS)],
  });
  await bundle.write({ dir: build.dist, format: "es", entryFileNames: "[name].mjs", sourcemap: true });
  await bundle.close();
}

const BUILDS: Record<PluginName, () => Promise<void>> = {
  "@sentry/vite-plugin": withVite,
  "@sentry/webpack-plugin": withWebpack,
  "@sentry/rollup-plugin": withRollup,
  "@sentry/esbuild-plugin": withEsbuild,
};

await BUILDS[build.plugin]();
