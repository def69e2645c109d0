import assert from "node:assert/strict";
import { test } from "node:test";
import { latestDeploys } from "./latest-deploys.ts";

test("only the newest deploy to each environment is listed, and deploys without an environment on their own", () => {
  const deploy = (environment: string | null, day: string) => ({
    environment,
    deployed_at: `2026-11-${day}T10:00:00Z`,
    commit: null,
    url: null,
  });
  const [newest, staging, unnamed, older] = [
    deploy("production", "22"),
    deploy("staging", "21"),
    deploy(null, "20"),
    deploy("production", "19"),
  ] as const;
  assert.deepEqual(latestDeploys([newest, staging, unnamed, older, deploy(null, "18")]), [
    newest,
    staging,
    unnamed,
  ]);
});
