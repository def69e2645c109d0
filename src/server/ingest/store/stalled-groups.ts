import type { Arrival } from "./event-batch.ts";
import { groupOf } from "./group-identity.ts";

/** How long a group is remembered after its last failure. */
const REMEMBER_MS = 60_000;

/** Groups whose last event could not be stored because their rows were locked for too long, for example by a deletion. */
export class StalledGroups {
  readonly #until = new Map<string, number>();

  has({ projectId, event }: Arrival): boolean {
    if (this.#until.size === 0) return false;
    return (this.#until.get(groupOf(projectId, event)) ?? 0) > performance.now();
  }

  add(arrivals: Arrival[]): void {
    const now = performance.now();
    for (const [group, until] of this.#until) if (until <= now) this.#until.delete(group);
    for (const { projectId, event } of arrivals)
      this.#until.set(groupOf(projectId, event), now + REMEMBER_MS);
  }

  delete(arrivals: Arrival[]): void {
    if (this.#until.size === 0) return;
    for (const { projectId, event } of arrivals) this.#until.delete(groupOf(projectId, event));
  }
}
