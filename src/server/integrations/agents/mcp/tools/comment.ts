import type { Comment } from "../../../../../shared/comments.ts";
import { id, issue, text } from "../calls/arguments.ts";
import { send, type Call } from "../calls/call.ts";
import { findEpic, findErrorGroup, findIssue, findReport, type Project } from "../calls/find-objects.ts";
import { linkTo } from "../calls/links.ts";
import { writingTool } from "../calls/tool.ts";
import { ToolError } from "../calls/tool-error.ts";

export const comment = writingTool({
  name: "comment",
  title: "Comment",
  description:
    "Comments on an issue, an error, a report or an epic. Give exactly one of them. Only the team sees comments on reports.",
  input: {
    content: text("Markdown, with @username to mention someone."),
    issue: issue.optional(),
    error_group_id: id("The id of an error.").optional(),
    report_id: id("The id of a report.").optional(),
    epic_id: id("The id of an epic.").optional(),
  },
  effect: { destructive: false, idempotent: false },
  run: async (call, { content, ...target }) => {
    const { project, path, page, name } = await findTarget(call, target);
    const { id: commentId } = await send<Comment>(call, "POST", `${path}/comments`, { content });
    const url = linkTo(call, project.key, page);
    return {
      text: `Commented on ${name}: <${url}>\n`,
      structured: { id: commentId, url, project_id: project.id },
      project_id: project.id,
      subject: { type: "comment", id: commentId, name },
    };
  },
});

type Target = {
  issue?: string | number | undefined;
  error_group_id?: number | undefined;
  report_id?: number | undefined;
  epic_id?: number | undefined;
};

type FoundTarget = { project: Project; path: string; page: string; name: string };

async function findTarget(call: Call, target: Target): Promise<FoundTarget> {
  const { issue: ref, error_group_id, report_id, epic_id } = target;
  if ([ref, error_group_id, report_id, epic_id].filter((value) => value !== undefined).length !== 1)
    throw new ToolError("Give exactly one of issue, error_group_id, report_id and epic_id.");
  if (ref !== undefined) {
    const { item, ...place } = await findIssue(call, ref);
    return { ...place, page: `issues/${item.key}`, name: item.key };
  }
  if (error_group_id !== undefined) {
    const place = await findErrorGroup(call, error_group_id);
    return { ...place, page: `errors/${error_group_id}`, name: `error ${error_group_id}` };
  }
  if (report_id !== undefined) {
    const place = await findReport(call, report_id);
    return { ...place, page: `reports/${report_id}`, name: `report ${report_id}` };
  }
  const place = await findEpic(call, Number(epic_id));
  return { ...place, page: `epics/${epic_id}`, name: `epic ${epic_id}` };
}
