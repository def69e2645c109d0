import type { UsageCounter } from "../../record/usage-counter.ts";
import type { Arrival } from "./event-batch.ts";
import type { StoredGroup } from "./store-events.ts";

/** Adds a batch to the usage of its projects: events that were stored, their bytes, and duplicates of earlier ids. */
export function countStored(usage: UsageCounter, arrivals: Arrival[], groups: StoredGroup[]): void {
  const left = new Map<number, number>();
  for (const { projectId, isTrimmed } of arrivals) {
    left.set(projectId, (left.get(projectId) ?? 0) + 1);
    if (isTrimmed) usage.add(projectId, "trimmed");
  }
  for (const { project_id, stored, kept, bytes } of groups) {
    usage.add(project_id, "stored_bytes", bytes);
    usage.add(project_id, "accepted", stored);
    usage.add(project_id, "kept", kept);
    left.set(project_id, (left.get(project_id) ?? 0) - stored);
  }
  for (const [projectId, duplicates] of left) usage.add(projectId, "duplicate", duplicates);
}
