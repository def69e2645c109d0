import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Plugin } from "vite";

const FOLDER = path.join(import.meta.dirname, "../../widget/demo");
const TYPES: Record<string, string> = { html: "text/html", css: "text/css", js: "text/javascript" };

/** During development, /widget-demo is a page that includes the feedback widget. */
export function widgetDemo(): Plugin {
  return {
    name: "widget-demo",
    apply: "serve",
    configureServer({ middlewares }) {
      middlewares.use((request, response, next) => {
        const { pathname } = new URL(request.url ?? "", "http://localhost");
        const match = /^\/widget-demo(?:\/(demo\.(?:css|js))?)?$/.exec(pathname);
        if (!match) return next();
        const name = match[1] ?? "index.html";
        readFile(path.join(FOLDER, name)).then((content) => {
          response.setHeader("content-type", `${TYPES[name.split(".")[1] ?? ""]}; charset=utf-8`);
          response.end(content);
        }, next);
      });
    },
  };
}
