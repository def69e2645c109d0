import { z } from "zod";
import { pageOf } from "../../../shared/answers.ts";
import {
  environmentQuery,
  releaseHealthQuery,
  releaseHealthSeriesAnswer,
  sessionsWithErrorAnswer,
  type EnvironmentQuery,
  type ReleaseHealthQuery,
} from "../../../shared/release-health.ts";
import {
  dayWithoutErrorAnswer,
  deployBody,
  fixReleaseAnswer,
  fixReleaseQuery,
  releaseAnswer,
  releaseDetailAnswer,
  releaseQuery,
} from "../../../shared/releases.ts";
import type { Api, Context } from "../../access/context.ts";
import { fieldsOf, listOrCsv, sendCsv } from "../../access/send-csv.ts";
import { READING } from "../../access/readable-kinds.ts";
import { listFormat, MAX_PAGE, pageQuery } from "../../answers/page.ts";
import { groupIdIn } from "../groups/require-group.ts";
import { daysWithoutGroup } from "./days-without-group.ts";
import { sessionsWithGroup } from "./health/sessions-with-group.ts";
import { listReleases } from "./list-releases.ts";
import { readFixRelease } from "./read-fix-release.ts";
import { readRelease, readReleaseHealth } from "./read-release.ts";
import { recordDeploy } from "./record-deploy.ts";

const project = "/api/projects/:projectId";
const releases = `${project}/releases`;

export function releaseRoutes(api: Api, context: Context) {
  readingRoutes(api, context);
  healthRoutes(api);
  fixRoutes(api);
}

function readingRoutes(api: Api, { uploads }: Context) {
  api.get(
    releases,
    {
      config: READING.release,
      schema: {
        operationId: "listReleases",
        summary: "List a project's releases, newest first",
        description:
          "Two semantic versions are compared as such, all others by the time they were first seen.",
        querystring: pageQuery.extend(environmentQuery.shape).extend(listFormat.shape),
        response: { 200: listOrCsv(pageOf(releaseAnswer)) },
      },
    },
    (request, reply) => {
      const { project, query } = request;
      if (query.format === "json") return listReleases(request.db, project.id, query);
      return sendCsv(request, reply, uploads, {
        name: "releases",
        fields: fieldsOf(releaseAnswer),
        readPage: (db, cursor) => listReleases(db, project.id, { ...query, limit: MAX_PAGE, cursor }),
      });
    },
  );

  api.get<{ Params: { version: string }; Querystring: EnvironmentQuery }>(
    `${releases}/:version`,
    {
      config: READING.release,
      schema: {
        operationId: "readRelease",
        summary: "Read a release with the error groups that it introduced, regressed and fixed",
        querystring: environmentQuery,
        response: { 200: releaseDetailAnswer },
      },
    },
    ({ errorDb, project: { id }, params: { version }, query: { environment } }) =>
      readRelease(errorDb, id, { version, environment }),
  );

  api.get(
    `${project}/release`,
    {
      config: READING.release,
      schema: {
        operationId: "readNamedRelease",
        summary: "Read a release by a name that may not be in a path",
        description:
          "Like `readRelease`, for every name. Clients and proxies shorten paths that contain `.` or `..`, encoded or not, and some decode `%2F`.",
        querystring: releaseQuery.extend(environmentQuery.shape),
        response: { 200: releaseDetailAnswer },
      },
    },
    (request) => readRelease(request.errorDb, request.project.id, request.query),
  );
}

function healthRoutes(api: Api) {
  api.get<{ Params: { version: string }; Querystring: ReleaseHealthQuery }>(
    `${releases}/:version/health`,
    {
      config: READING.release,
      schema: {
        operationId: "readReleaseHealth",
        summary: "Read a release's sessions per hour or day",
        querystring: releaseHealthQuery,
        response: { 200: releaseHealthSeriesAnswer },
      },
    },
    ({ db, project: { id }, params: { version }, query }) => readReleaseHealth(db, id, { version, ...query }),
  );

  api.get(
    `${project}/release/health`,
    {
      config: READING.release,
      schema: {
        operationId: "readNamedReleaseHealth",
        summary: "Read the sessions of a release by a name that may not be in a path",
        querystring: releaseQuery.extend(releaseHealthQuery.shape),
        response: { 200: releaseHealthSeriesAnswer },
      },
    },
    (request) => readReleaseHealth(request.db, request.project.id, request.query),
  );

  const { needs, feature, area } = READING.release;
  api.get(
    `${project}/error-groups/:errorGroupId/sessions`,
    {
      config: { needs, feature, area },
      schema: {
        operationId: "readSessionsWithErrorGroup",
        summary: "Compare an error group's events with the project's sessions",
        description:
          "Of the last seven days (UTC), today included. Events do not name their session, so events divided by sessions is the highest share of sessions that the error can have hit.",
        response: { 200: sessionsWithErrorAnswer },
      },
    },
    (request) => sessionsWithGroup(request.db, request.project.id, groupIdIn(request)),
  );
}

function fixRoutes(api: Api) {
  const { needs, feature, area } = READING.release;

  api.get(
    `${project}/error-groups/:errorGroupId/days-without`,
    {
      config: { needs, feature, area },
      schema: {
        operationId: "listDaysWithoutErrorGroup",
        summary: "List the days on which the project got releases without the error",
        description:
          "For the last 30 days, oldest first. A release counts on the days when it was deployed to the environment of the error, or when it was first seen if it was never deployed.",
        response: { 200: z.array(dayWithoutErrorAnswer) },
      },
    },
    (request) => daysWithoutGroup(request.db, request.project.id, groupIdIn(request)),
  );

  api.get(
    `${project}/fix-release`,
    {
      config: { needs, feature, area },
      schema: {
        operationId: "readFixRelease",
        summary: "Read the release with which errors were fixed",
        description:
          "The last of the releases that the fixes of `error_group_ids` were released in, or the first release after `closed_at` if no errors are given.",
        querystring: fixReleaseQuery,
        response: { 200: fixReleaseAnswer },
      },
    },
    (request) => readFixRelease(request.db, request.project.id, request.query),
  );

  api.post(
    releases,
    {
      config: { needs: "error-groups:update", feature, projectToken: "read_write", area },
      schema: {
        operationId: "recordDeploy",
        summary: "Record the deploy of a release",
        description:
          "For a deploy hook of a pipeline. Creates the release if the project does not have it (201). The same environment and `deployed_at` again add nothing.",
        body: deployBody,
        response: { 200: releaseAnswer, 201: releaseAnswer },
      },
    },
    async (request, reply) => {
      const { release, isNew } = await recordDeploy(request.db, request.project.id, request.body);
      return reply.code(isNew ? 201 : 200).send(release);
    },
  );
}
