import type { Boot } from "../../shared/boot.ts";
import type { Caller } from "../access/caller.ts";
import { holds, readProjectAccess } from "../access/project-access.ts";
import { READING } from "../access/readable-kinds.ts";
import { readProfile } from "../account/profile/read-profile.ts";
import type { Db } from "../db/connect.ts";
import { readCounts } from "../home/project-numbers.ts";
import { countUnread } from "../inform/inbox/count-unread.ts";
import { listProjectPeople } from "../people/projects/members/list-people.ts";
import { listProjects } from "../people/projects/read-projects.ts";
import { listWorkspaces } from "../people/workspaces/read-workspaces.ts";
import { listViews } from "../saved-views/list-views.ts";
import { listEpics } from "../work/epics/epics.ts";
import { listLabels } from "../work/labels/labels.ts";
import { listLanes } from "../work/lanes/lanes.ts";
import { listSprints } from "../work/sprints/sprints.ts";

/** The largest page, because the web app needs these lists as a whole. */
const FIRST_PAGE = { limit: 200 };
/** The most projects that the web app shows, so that people with hundreds of projects need no second request. */
const PROJECTS = { limit: 1_000 };

/** The caller's profile, workspaces, projects and number of unread notifications, and the parts of one project. */
export async function readBoot(
  db: Db,
  caller: Caller,
  publicUrl: string,
  projectRef: string | undefined,
): Promise<Boot> {
  const userId = caller.user_id;
  const [profile, workspaces, projects, unread, views, project] = await Promise.all([
    readProfile(db, userId),
    listWorkspaces(db, userId, FIRST_PAGE),
    listProjects(db, caller, publicUrl, PROJECTS),
    countUnread(db, caller, "all"),
    listViews(db, caller, { user_id: userId }),
    projectRef === undefined ? null : readParts(db, projectRef, caller),
  ]);
  const { count: unread_count, ...next_return } = unread;
  return { profile, workspaces, projects, unread_count, ...next_return, views, project };
}

/** Any access to the project is enough to read its parts, except for epics and some of the counts. */
async function readParts(db: Db, ref: string, caller: Caller): Promise<Boot["project"]> {
  const found = await readProjectAccess(db, ref, caller.user_id);
  if (!found?.access) return null;
  const { project, access } = found;
  const [lanes, labels, sprints, people, epics, counts, views] = await Promise.all([
    listLanes(db, project.id, FIRST_PAGE),
    listLabels(db, project.id, FIRST_PAGE),
    listSprints(db, project.id, FIRST_PAGE),
    listProjectPeople(db, project, FIRST_PAGE),
    holds(access, READING.epic.needs) ? listEpics(db, project.id, caller.user_id, FIRST_PAGE) : null,
    readCounts(db, caller, project.id),
    listViews(db, caller, { project_id: project.id }),
  ]);
  return { id: project.id, lanes, labels, sprints, people, epics, counts, views };
}
