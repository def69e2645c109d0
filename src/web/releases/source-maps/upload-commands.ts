/** Where source maps are uploaded to. */
export type UploadTarget = {
  origin: string;
  /** Clients of Sentry require one; any text is accepted. */
  org: string;
  projectKey: string;
  version: string;
};

export type UploadCommand = { value: string; label: string; code: string };

/** How each client uploads the source maps of a release. None contains the token. */
export function uploadCommands(target: UploadTarget): UploadCommand[] {
  return [
    { value: "cli", label: "Sentry CLI", code: withEnvironment(target, sentryCli(target.version)) },
    { value: "npm", label: "npm sentry", code: withEnvironment(target, npmSentry(target.version)) },
    { value: "vite", label: "Vite", code: vite(target) },
    { value: "webpack", label: "webpack", code: webpack(target) },
    { value: "next", label: "Next.js", code: nextjs(target) },
    { value: "curl", label: "curl", code: curl(target) },
  ];
}

/** The name of a workspace as Sentry writes organizations. */
export const orgOf = (workspaceName: string): string =>
  workspaceName
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "") || "signalbox";

const withEnvironment = ({ origin, org, projectKey }: UploadTarget, commands: string) =>
  `export SENTRY_URL=${origin}
export SENTRY_ORG=${org}
export SENTRY_PROJECT=${projectKey}
# SENTRY_AUTH_TOKEN is a project token.

${commands}`;

const sentryCli = (version: string) => `npx @sentry/cli@3 sourcemaps inject dist
npx @sentry/cli@3 sourcemaps upload --release ${shellText(version)} dist`;

const npmSentry = (version: string) => `npx sentry@0.49 sourcemap inject dist
npx sentry@0.49 sourcemap upload --release ${shellText(version)} dist`;

const options = ({ origin, org, projectKey, version }: UploadTarget, url: string, indent: string) =>
  [
    `${url}: ${JSON.stringify(origin)},`,
    `org: ${JSON.stringify(org)},`,
    `project: ${JSON.stringify(projectKey)},`,
    "authToken: process.env.SENTRY_AUTH_TOKEN,",
    "telemetry: false,",
    `release: { name: ${JSON.stringify(version)} },`,
  ].join(`\n${indent}`);

const vite = (target: UploadTarget) => `// npm install --save-dev @sentry/vite-plugin
// vite.config.js
import { sentryVitePlugin } from "@sentry/vite-plugin";
import { defineConfig } from "vite";

export default defineConfig({
  build: { sourcemap: "hidden" },
  plugins: [
    // After all other plugins.
    sentryVitePlugin({
      ${options(target, "url", "      ")}
    }),
  ],
});`;

const webpack = (target: UploadTarget) => `// npm install --save-dev @sentry/webpack-plugin
// webpack.config.js
const { sentryWebpackPlugin } = require("@sentry/webpack-plugin");

module.exports = {
  devtool: "hidden-source-map",
  plugins: [
    sentryWebpackPlugin({
      ${options(target, "url", "      ")}
    }),
  ],
};`;

const nextjs = (target: UploadTarget) => `// npm install @sentry/nextjs
// next.config.mjs
// Before version 11: from "@sentry/nextjs"
import { withSentryConfig } from "@sentry/nextjs/config";

const nextConfig = {};

export default withSentryConfig(nextConfig, {
  ${options(target, "sentryUrl", "  ")}
});`;

const curl = ({
  origin,
  projectKey,
  version,
}: UploadTarget) => `# The file name is the path of the minified file on your site, with .map.
curl -H "Authorization: Bearer $SIGNALBOX_TOKEN" \\
  -F 'files[0]=@dist/assets/app.js.map;filename=~/assets/app.js.map' \\
  ${shellText(`${origin}/api/projects/${projectKey}/releases/${encodeURIComponent(version)}/artifacts`)}`;

/** In quotes if the shell would change it. */
const shellText = (text: string) =>
  /^[\w@%+=:,./-]+$/.test(text) && !text.startsWith("-")
    ? text
    : `'${text.replaceAll("'", String.raw`'\''`)}'`;
