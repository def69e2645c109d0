import { isFeatureOffEverywhere } from "../../access/features.ts";
import type { Caller } from "../../access/caller.ts";
import { featureNowhere } from "../../answers/errors.ts";
import type { Db } from "../../db/connect.ts";

/**
 * An `onRequest` hook for routes across projects. It runs right after the guard, so a feature that is turned off is reported
 * before any other error of the request. A caller without any project gets an empty result instead.
 */
export const requireErrorTracking =
  (db: Db) =>
  async ({ caller }: { caller: Caller }): Promise<void> => {
    if (await isFeatureOffEverywhere(db, caller, "error_tracking")) throw featureNowhere("Error Tracking");
  };
