import assert from "node:assert/strict";
import { test } from "node:test";
import { orgOf, uploadCommands } from "./upload-commands.ts";

const TARGET = {
  origin: "https://signalbox.example.com",
  org: "web-shop",
  projectKey: "WEB",
  version: "shop@1.4.2",
};

const codeOf = (name: string, target = TARGET) =>
  uploadCommands(target).find(({ value }) => value === name)?.code ?? "";

test("the commands of Sentry's clients have the server, project and release filled in, and no token", () => {
  for (const name of ["cli", "npm"]) {
    const code = codeOf(name);
    for (const part of [
      "export SENTRY_URL=https://signalbox.example.com\n",
      "export SENTRY_ORG=web-shop\n",
      "export SENTRY_PROJECT=WEB\n",
      "upload --release shop@1.4.2 dist",
    ])
      assert.ok(code.includes(part), part);
    assert.ok(!code.includes("SENTRY_AUTH_TOKEN="));
  }
});

test("the plugins read the token from the environment and send no telemetry", () => {
  for (const name of ["vite", "webpack", "next"]) {
    const code = codeOf(name);
    for (const part of [
      name === "next" ? 'sentryUrl: "https://signalbox.example.com"' : 'url: "https://signalbox.example.com"',
      'project: "WEB"',
      "authToken: process.env.SENTRY_AUTH_TOKEN",
      "telemetry: false",
      'release: { name: "shop@1.4.2" }',
    ])
      assert.ok(code.includes(part), `${name}: ${part}`);
  }
});

test("the curl command posts to the release's artifacts", () => {
  assert.match(
    codeOf("curl"),
    /https:\/\/signalbox\.example\.com\/api\/projects\/WEB\/releases\/shop%401\.4\.2\/artifacts$/,
  );
});

test("names of releases cannot break out of their quotes", () => {
  const target = { ...TARGET, version: `it's "2"; rm` };
  assert.match(codeOf("cli", target), /--release 'it'\\''s "2"; rm' dist/);
  assert.match(codeOf("vite", target), /name: "it's \\"2\\"; rm"/);
  assert.match(codeOf("curl", target), /releases\/it'\\''s%20%222%22%3B%20rm\/artifacts'$/);
});

test("an organization is the workspace's name in lower case with hyphens", () => {
  assert.equal(orgOf("Web Shop & Co."), "web-shop-co");
  assert.equal(orgOf("工房"), "signalbox");
});

test("the configuration of Next.js imports from where @sentry/nextjs 11 exports", () => {
  assert.match(codeOf("next"), /^import \{ withSentryConfig \} from "@sentry\/nextjs\/config";$/m);
});
