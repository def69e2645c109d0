import type { Release } from "../../shared/releases.ts";

type Deploy = Release["deploys"][number];

/** The newest deploy to each environment, in the order of the deploys, which is newest first. */
export function latestDeploys(deploys: readonly Deploy[]): Deploy[] {
  const seen = new Set<string | null>();
  return deploys.filter(({ environment }) => !seen.has(environment) && seen.add(environment));
}
