import type { Db, Tx } from "../../db/connect.ts";
import { readErrorGroups } from "../../errors/groups/read-group.ts";
import { readReleases } from "../../errors/releases/list-releases.ts";
import { readObjectsWith } from "../../record/changed-objects.ts";
import { readReports } from "../../reports/read-report.ts";
import { readComments } from "../../work/comments/read-comment.ts";
import { readEpics } from "../../work/epics/epics.ts";
import { readIssues } from "../../work/issues/read-issue.ts";
import { readSprints } from "../../work/sprints/sprints.ts";

/** The field `watching` is left out, so it does not matter whose it is. */
const NOBODY = 0;

/** Lets changes read the objects that webhooks are told of. */
export function provideObjects(retentionDays: number): void {
  readObjectsWith({
    report: byId(readReports),
    issue: byId((tx, projectId, ids) => readIssues(tx, projectId, ids, NOBODY)),
    comment: byId(readComments),
    error_group: byId((db, projectId, ids) => readErrorGroups({ db, retentionDays }, projectId, ids)),
    release: byId(readReleases),
    epic: byId(readEpics),
    sprint: byId(readSprints),
  });
}

type Read = (db: Db, projectId: number, ids: number[]) => Promise<{ id: number }[]>;

const byId = (read: Read) => async (tx: Tx, projectId: number, ids: number[]) =>
  new Map((await read(tx, projectId, ids)).map((object) => [object.id, object]));
