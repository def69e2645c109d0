import { ExpiringSet } from "../../caches/expiring-set.ts";
import type { Arrival } from "./event-batch.ts";
import { groupOf } from "./group-identity.ts";

/** How long a group is remembered after its last failure. */
const REMEMBER_MS = 60_000;

/** Groups whose last event could not be stored because their rows were locked for too long, for example by a deletion. */
export class StalledGroups {
  readonly #groups = new ExpiringSet<string>();

  has({ projectId, event }: Arrival): boolean {
    return this.#groups.size > 0 && this.#groups.has(groupOf(projectId, event));
  }

  add(arrivals: Arrival[]): void {
    for (const { projectId, event } of arrivals) this.#groups.add(groupOf(projectId, event), REMEMBER_MS);
  }

  delete(arrivals: Arrival[]): void {
    if (this.#groups.size === 0) return;
    for (const { projectId, event } of arrivals) this.#groups.delete(groupOf(projectId, event));
  }
}
