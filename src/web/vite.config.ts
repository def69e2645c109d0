import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
import { groupCode } from "./group-code.ts";

const api = "http://localhost:3000";

/** The web app: built into dist/web, which the server serves. */
export default defineConfig({
  root: import.meta.dirname,
  cacheDir: path.join(import.meta.dirname, "../../node_modules/.cache/vite"),
  plugins: [react(), tailwindcss(), compressed()],
  // The highlighter loads languages as they are needed.
  worker: { format: "es" },
  server: { port: 5173, proxy: { "/api": { target: api, headers: { origin: api } } } },
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
          groups: groupCode(path.join(import.meta.dirname, "main.tsx")),
        },
      },
    },
  },
});

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
