import type { Build } from "./build-if-needed.ts";

const VITE = "node_modules/vite/bin/vite.js";
const ESBUILD = "node_modules/esbuild/package.json";

export const WEB_APP: Build = {
  name: "the web app",
  output: "dist/web/index.html",
  sources: ["src/web", "src/shared", "build/web", "package-lock.json"],
  tool: VITE,
  command: [VITE, "build", "--logLevel", "error", "--config", "build/web/vite.config.ts"],
};

export const REPORTER_DOWNLOADS: Build = {
  name: "the reporter's downloads",
  output: "dist/reporter/reporter.json",
  sources: ["src", "scripts", "docs", "package.json", "README.md", "CHANGELOG.md"].map(
    (name) => `reporter/${name}`,
  ),
  tool: ESBUILD,
  command: ["reporter/scripts/build-downloads.ts"],
};

export const COMMAND_LINE: Build = {
  name: "the command line's download",
  output: "dist/cli/sbx.json",
  sources: ["src", "scripts", "package.json", "README.md"].map((name) => `cli/${name}`),
  tool: ESBUILD,
  command: ["cli/scripts/build-downloads.ts"],
};

export const WIDGET: Build = {
  name: "the widget",
  output: "dist/widget/widget.js",
  sources: ["widget/src", "widget/scripts"],
  tool: ESBUILD,
  command: ["widget/scripts/build.ts"],
};

export const REPORTER_PACKAGE: Build = {
  name: "the reporter's package",
  output: "reporter/dist/cjs/index.d.ts",
  sources: ["src", "scripts", "package.json", "tsconfig.json", "tsconfig.build.json"].map(
    (name) => `reporter/${name}`,
  ),
  tool: ESBUILD,
  command: ["reporter/scripts/build.ts"],
};
