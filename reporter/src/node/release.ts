import { filled, property } from "../core/safe.ts";
import { programPackage } from "./package-json.ts";

/** Where build and hosting services write the commit that runs. */
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

/** Versions that a new package starts with and that many applications never change. */
const placeholder = /^(0\.0\.0|0\.0\.1|1\.0\.0)$/;

/**
 * What is deployed, where the program does not say: SIGNALBOX_RELEASE, the version in its package.json, the commit
 * in a variable of its build service. A placeholder version gives way to a commit: a release that never changes
 * hides regressions.
 */
export function detectRelease(env: NodeJS.ProcessEnv): string | undefined {
  const named = filled(env["SIGNALBOX_RELEASE"]);
  if (named) return named;
  const version = filled(property(programPackage()?.content, "version"));
  const commit = commitVariables.map((name) => filled(env[name])).find(Boolean);
  return version && !(commit && placeholder.test(version)) ? version : (commit ?? version);
}
