import { filled, property } from "../core/safe.ts";
import { programPackage } from "./package-json.ts";

/** Environment variables in which build and hosting services provide the commit. */
const commitVariables = [
  "GIT_COMMIT",
  "GITHUB_SHA",
  "CI_COMMIT_SHA",
  "VERCEL_GIT_COMMIT_SHA",
  "RENDER_GIT_COMMIT",
  "RAILWAY_GIT_COMMIT_SHA",
  "HEROKU_BUILD_COMMIT",
  "HEROKU_SLUG_COMMIT",
  "SOURCE_COMMIT",
  "SOURCE_VERSION",
  "BITBUCKET_COMMIT",
  "CIRCLE_SHA1",
  "BUILD_SOURCEVERSION",
  "CODEBUILD_RESOLVED_SOURCE_VERSION",
  "COMMIT_REF",
  "CF_PAGES_COMMIT_SHA",
];

/** Initial versions of new packages, which many applications never change. */
const placeholder = /^(0\.0\.0|0\.0\.1|1\.0\.0)$/;

/**
 * Returns the release of a program that does not set it: SIGNALBOX_RELEASE, else the version in its package.json, else
 * the build service's commit. A commit takes precedence over a placeholder version: a release that never changes hides
 * regressions.
 */
export function detectRelease(env: NodeJS.ProcessEnv): string | undefined {
  const configured = filled(env["SIGNALBOX_RELEASE"]);
  if (configured) return configured;
  const version = filled(property(programPackage()?.content, "version"));
  const commit = commitVariables.map((name) => filled(env[name])).find(Boolean);
  return version && !(commit && placeholder.test(version)) ? version : (commit ?? version);
}
