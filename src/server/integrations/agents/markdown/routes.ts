import type { FastifyReply, FastifyRequest } from "fastify";
import type { Api, Context } from "../../../access/context.ts";
import { holds } from "../../../access/project-access.ts";
import { READING } from "../../../access/readable-kinds.ts";
import { pathId } from "../../../answers/validation.ts";
import { readErrorGroup } from "../../../errors/groups/read-group.ts";
import { groupIdIn } from "../../../errors/groups/require-group.ts";
import type { ReadFrames } from "../../../errors/groups/routes.ts";
import { readReport } from "../../../reports/read-report.ts";
import { readEpic } from "../../../work/epics/epics.ts";
import { readNamedIssue } from "../../../work/issues/read-issue.ts";
import { readSprint } from "../../../work/sprints/sprints.ts";
import { errorGroupMarkdown } from "./error-group.ts";
import { issueMarkdown } from "./issue.ts";
import { epicMarkdown, sprintMarkdown } from "./plan.ts";
import { reportMarkdown } from "./report.ts";
import { MAX_TOKENS, TOKEN_CHARACTERS, type Budget } from "./write-markdown.ts";

/** That of the longest answer of a tool. */
const BUDGET: Budget = { maxCharacters: MAX_TOKENS * TOKEN_CHARACTERS };

const page = "/projects/:projectId";

type Params = Record<"issueId" | "reportId" | "epicId" | "sprintId", string>;

const paramsOf = (request: FastifyRequest) => request.params as Params;

/**
 * The pages of single objects as Markdown, for programs that read them in place of a person. A page without the ending is
 * also answered here if the client prefers Markdown: see `withMarkdownEnding`.
 */
export function markdownPageRoutes(api: Api, { publicUrl }: Context, readFrames: ReadFrames) {
  const options = (request: FastifyRequest, path: string) => ({
    url: `${publicUrl()}/projects/${request.project.key}/${path}`,
    budget: BUDGET,
  });
  workPages(api, options);

  api.get(`${page}/errors/:errorGroupId.md`, { config: READING.error_group }, async (request, reply) => {
    const { project, errorDb, db } = request;
    const group = await readErrorGroup(errorDb, project.id, groupIdIn(request));
    return sendMarkdown(
      reply,
      await errorGroupMarkdown(db, group, {
        ...options(request, `errors/${group.id}`),
        frames: await readFrames(errorDb, { projectId: project.id, groupId: group.id }),
        withComments: mayReadComments(request),
      }),
    );
  });

  api.get(`${page}/reports/:reportId.md`, { config: READING.report }, async (request, reply) => {
    const { project, db } = request;
    const report = await readReport(db, project.id, pathId(paramsOf(request).reportId));
    const withComments = mayReadComments(request);
    return sendMarkdown(
      reply,
      await reportMarkdown(db, report, { ...options(request, `reports/${report.id}`), withComments }),
    );
  });
}

type PageOptions = (request: FastifyRequest, path: string) => { url: string; budget: Budget };

function workPages(api: Api, options: PageOptions) {
  api.get(`${page}/issues/:issueId.md`, { config: READING.issue }, async (request, reply) => {
    const { project, caller, access, db } = request;
    const issue = await readNamedIssue(db, project, paramsOf(request).issueId, caller.user_id);
    const withEpic = holds(access, READING.epic.needs);
    const settings = { ...options(request, `issues/${issue.key}`), withEpic };
    return sendMarkdown(reply, await issueMarkdown(db, issue, settings));
  });

  api.get(`${page}/epics/:epicId.md`, { config: READING.epic }, async (request, reply) => {
    const epic = await readEpic(request.db, request.project.id, pathId(paramsOf(request).epicId));
    const settings = { ...options(request, `epics/${epic.id}`), issuesFor: issueReader(request) };
    return sendMarkdown(reply, await epicMarkdown(request.db, epic, settings));
  });

  api.get(
    `${page}/sprints/:sprintId.md`,
    { config: { needs: "access", area: "issues" } },
    async (request, reply) => {
      const sprint = await readSprint(request.db, request.project.id, pathId(paramsOf(request).sprintId));
      const settings = { ...options(request, `sprints/${sprint.id}`), issuesFor: issueReader(request) };
      return sendMarkdown(reply, await sprintMarkdown(request.db, sprint, settings));
    },
  );
}

const sendMarkdown = (reply: FastifyReply, text: string) =>
  reply
    .headers({ vary: "accept, cookie, authorization", "cache-control": "private, no-cache" })
    .type("text/markdown; charset=utf-8")
    .send(text);

/** Project tokens read errors and reports, but not what the team writes about them. */
const mayReadComments = ({ caller }: FastifyRequest): boolean => caller.kind !== "project";

/** The caller, if they may read the project's issues. */
const issueReader = ({ access, caller }: FastifyRequest): number | undefined =>
  holds(access, READING.issue.needs) ? caller.user_id : undefined;
