import { Ingestion } from "../../src/server/ingest/store/ingestion.ts";
import type { NewGroups } from "../../src/server/ingest/store/new-groups.ts";
import type { Overload } from "../../src/server/ingest/store/overload.ts";
import { readEvent } from "../../src/server/ingest/read/read-event.ts";
import type { StoredGroup } from "../../src/server/ingest/store/store-events.ts";
import type { UsageCounter } from "../../src/server/record/usage-counter.ts";
import { anEvent } from "./error-events.ts";
import type { TestApp } from "./test-app.ts";

/** An ingestion of its own, with the groups that it reports as stored and the sizes of its batches. */
export function startIngestion(
  t: TestApp,
  more: { overload?: Overload; usage?: UsageCounter; newGroups?: NewGroups } = {},
) {
  const heard: StoredGroup[] = [];
  const batches: number[] = [];
  const ingestion = new Ingestion({
    ...more,
    pool: t.database.ingest,
    retentionDays: 90,
    onStored: (groups) => heard.push(...groups),
    onBatch: (events) => batches.push(events),
  });
  const add = (projectId: number, overrides: Record<string, unknown> = {}, client?: string) => {
    const bytes = Buffer.from(JSON.stringify(anEvent(overrides)));
    return ingestion.add({ projectId, event: readEvent(bytes), size: bytes.length, client });
  };
  return { add, heard, batches };
}
