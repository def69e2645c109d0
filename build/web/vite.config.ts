import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
import type { BuiltPage } from "../../src/shared/built-page.ts";
import { readPages } from "./built-pages.ts";
import { groupCode } from "./group-code.ts";
import { widgetDemo } from "./widget-demo.ts";

const api = "http://localhost:3000";
/** What the server answers: the API, the widget, and the pages for people outside the team. */
const SERVED = "^/((api|f|mine|r|subscriptions|widget)/|widget\\.js)";
const pages = await readPages();
const root = path.join(import.meta.dirname, "../../src/web");
const source = (name: string) => path.join(root, name);

/** The web app: built into dist/web, which the server serves. */
export default defineConfig({
  root,
  cacheDir: path.join(import.meta.dirname, "../../node_modules/.cache/vite"),
  plugins: [react(), tailwindcss(), lightIcons(), described(pages), compressed(), widgetDemo()],
  // The highlighter loads languages as they are needed.
  worker: { format: "es" },
  server: { port: 5173, proxy: { [SERVED]: { target: api, headers: { origin: api } } } },
  build: {
    outDir: path.join(import.meta.dirname, "../../dist/web"),
    emptyOutDir: true,
    // Never inline: the content security policy forbids inline data.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    manifest: true,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: groupCode({
            main: source("main.tsx"),
            pages: new Set(pages.map(({ code }) => source(code))),
            firstPages: new Set(pages.filter((page) => page.isInFirstFile).map(({ code }) => source(code))),
          }),
        },
      },
    },
  },
});

/** Builds the icons of lucide-react with `createIcon`. The development server, which bundles libraries apart, keeps the library's function. */
function lightIcons(): Plugin {
  let isReplaced = false;
  return {
    name: "light-icons",
    apply: "build",
    enforce: "pre",
    resolveId(module, importer) {
      if (!module.endsWith("/createLucideIcon.mjs") || !importer?.includes("/lucide-react/")) return null;
      isReplaced = true;
      return source("kit/create-icon.ts");
    },
    buildEnd(error) {
      if (error === undefined && !isReplaced)
        this.error("lucide-react no longer imports createLucideIcon.mjs.");
    },
  };
}

/** Writes the pages into a file beside the manifest, for the server's HTML. */
function described(pages: readonly BuiltPage[]): Plugin {
  return {
    name: "described",
    apply: "build",
    generateBundle() {
      this.emitFile({ type: "asset", fileName: ".vite/pages.json", source: JSON.stringify(pages) });
    },
  };
}

/** Writes a .br file beside each text file, so that the server need not compress. */
function compressed(): Plugin {
  let outDir = "";
  return {
    name: "compressed",
    apply: "build",
    configResolved: (config) => void (outDir = config.build.outDir),
    closeBundle() {
      const files = readdirSync(outDir, { recursive: true, encoding: "utf8" });
      for (const file of files.filter((name) => /\.(js|css|svg|html)$/.test(name))) {
        const name = path.join(outDir, file);
        const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
        writeFileSync(`${name}.br`, brotliCompressSync(readFileSync(name), { params }));
      }
    },
  };
}
