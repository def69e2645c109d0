import { sql } from "kysely";
import { NEW_ERROR } from "../../../shared/notifications.ts";
import type { Tx } from "../../db/connect.ts";
import { shorten } from "../../inform/notify/message-parts.ts";
import type { ActiveRule } from "./active-rules.ts";
import { allowFirings, type Firing } from "./firing.ts";
import type { Occasion } from "./occasions.ts";

/** Fires rules about releases whose number of new groups has grown above their count. */
export async function fireForReleases(tx: Tx, rules: ActiveRule[], occasions: Occasion[]): Promise<Firing[]> {
  const groupIds = occasions.filter(({ type }) => type === NEW_ERROR).map(({ group_id }) => group_id);
  const own = rules.filter(({ kind }) => kind === "release_new_groups");
  if (own.length === 0 || groupIds.length === 0) return [];
  const { rows: releases } = await sql<{ id: number; version: string; new_groups: number }>`
    select r.id, r.version, (select sum(new_groups)::int from release_counts c where c.release_id = r.id) as new_groups
    from (
      select distinct project_id, sha256(convert_to(release, 'UTF8')) as version_hash from error_groups
      where id = any(${groupIds}::bigint[]) and release is not null
    ) g join releases r using (project_id, version_hash)
    order by r.id`.execute(tx);
  const firings = own.flatMap((rule) =>
    releases
      .filter(({ new_groups }) => rule.when.kind === "release_new_groups" && new_groups > rule.when.count)
      .map(({ id, version, new_groups }): Firing => ({
        rule,
        subject: { kind: "release", id, version },
        message: `${shorten(version)} has ${new_groups.toLocaleString("en")} new ${new_groups === 1 ? "error" : "errors"}`,
      })),
  );
  return allowFirings(tx, firings);
}
