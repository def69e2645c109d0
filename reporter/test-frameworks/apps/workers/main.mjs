import { build } from "esbuild";
import { Miniflare } from "miniflare";

const { outputFiles } = await build({
  entryPoints: ["worker.mjs"],
  bundle: true,
  write: false,
  format: "esm",
  // As Wrangler bundles.
  conditions: ["workerd", "worker", "browser"],
});
const { SIGNALBOX_URL, SIGNALBOX_PROJECT, SIGNALBOX_KEY } = process.env;
const worker = new Miniflare({
  modules: true,
  script: outputFiles[0].text,
  compatibilityDate: "2026-01-01",
  bindings: { SIGNALBOX_URL, SIGNALBOX_PROJECT, SIGNALBOX_KEY },
});
await worker.dispatchFetch("http://shop.example.com/orders/42").catch(() => {});
await (await worker.dispatchFetch("http://shop.example.com/background")).text();
await (await worker.getWorker()).scheduled({ cron: "0 4 * * *" }).catch(() => {});
await new Promise((resolve) => setTimeout(resolve, 2000));
await worker.dispose();
