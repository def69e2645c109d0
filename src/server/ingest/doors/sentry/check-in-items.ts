import type { IngestKey } from "../../../access/ingest-key.ts";
import type { CheckInOutcome } from "../../../monitors/check-ins/check-in.ts";
import { readSentryCheckIn } from "../../../monitors/check-ins/read-sentry-check-in.ts";
import type { SentryCheckIns } from "../../../monitors/sentry-check-in.ts";
import type { Item } from "./envelope-parser.ts";
import type { EventIntake } from "./store-sentry-events.ts";

type Options = Pick<EventIntake, "keyLimits" | "usage"> & { checkIns: SentryCheckIns };

/**
 * Records the check-ins of an envelope one after another, because a run's end follows its start. Those that are invalid, of an unknown
 * monitor or too many are counted as discarded, because SDKs do nothing about a refusal.
 */
export async function recordCheckIns(
  options: Options,
  key: IngestKey,
  items: Item[],
  address: string,
): Promise<void> {
  for (const { payload } of items) await recordCheckIn(options, key, jsonIn(payload), address);
}

/** Undefined if it is not JSON, because the other items of the envelope count nevertheless. */
function jsonIn(payload: Buffer): unknown {
  try {
    return JSON.parse(payload.toString("utf8"));
  } catch {
    return undefined;
  }
}

/** Records one check-in. What is not recorded is counted as discarded. */
export async function recordCheckIn(
  { checkIns, keyLimits, usage }: Options,
  key: IngestKey,
  sent: unknown,
  address: string,
): Promise<CheckInOutcome | "invalid"> {
  const outcome = await outcomeOf();
  if (outcome !== "recorded") usage.add(key.projectId, "discarded");
  return outcome;

  async function outcomeOf() {
    const checkIn = key.errorTracking ? readSentryCheckIn(sent) : undefined;
    if (!checkIn) return "invalid";
    // Before the monitor is looked up, because keys are public.
    if (!(await keyLimits.take(key.id, address)).allowed) return "too many";
    return checkIns.record(key.projectId, checkIn);
  }
}
