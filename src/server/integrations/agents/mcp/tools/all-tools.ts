import type { Tool } from "../calls/tool.ts";
import { comment } from "./comment.ts";
import { getErrorGroup, listErrorGroups, listEvents } from "./error-groups.ts";
import { createIssue, getIssue, listIssues, updateIssue } from "./issues.ts";
import { getRelease, listReleases } from "./releases.ts";
import { dismissReport, getReport, listReports, promoteReports } from "./reports.ts";
import { search, similar } from "./search.ts";
import { updateErrorGroup } from "./update-error-group.ts";

/** Every tool, in the order in which clients list them. */
export const TOOLS: readonly Tool[] = [
  search,
  listErrorGroups,
  listIssues,
  listReports,
  getErrorGroup,
  listEvents,
  getIssue,
  similar,
  createIssue,
  updateIssue,
  comment,
  updateErrorGroup,
  getReport,
  listReleases,
  getRelease,
  promoteReports,
  dismissReport,
];
