import type { FastifyRequest } from "fastify";
import { pageOf } from "../../shared/answers.ts";
import {
  checkInAnswer,
  monitorAnswer,
  monitorBody,
  monitorChanges,
  monitorDaysAnswer,
  monitorMuteBody,
  PREVIEWED_TIMES,
  schedulePreviewAnswer,
  schedulePreviewBody,
} from "../../shared/monitors.ts";
import type { Api, Context } from "../access/context.ts";
import { holds } from "../access/project-access.ts";
import { READING } from "../access/readable-kinds.ts";
import { noBody } from "../answers/operation.ts";
import { pageQuery } from "../answers/page.ts";
import { muteMonitor, renewPingUrl } from "./change-monitor.ts";
import { createMonitor } from "./create-monitor.ts";
import { deleteMonitor } from "./delete-monitor.ts";
import { checkInsQuery, listCheckIns } from "./list-check-ins.ts";
import { listMonitorDays } from "./list-monitor-days.ts";
import { listMonitors, readMonitor, readMonitorRow, type MonitorReader } from "./read-monitors.ts";
import { nextTimes } from "./schedule/next-time.ts";
import { requireValidSchedule } from "./schedule/require-valid-schedule.ts";
import { updateMonitor } from "./update-monitor.ts";

const reading = READING.monitor;
const changing = { needs: "error-groups:update", feature: "error_tracking" } as const;

const monitors = "/api/projects/:projectId/monitors";
const monitor = `${monitors}/:monitorSlug`;

const slugOf = ({ params }: FastifyRequest) => (params as { monitorSlug: string }).monitorSlug;
const refOf = (request: FastifyRequest) => ({ projectId: request.project.id, slug: slugOf(request) });

const mustExist = async (request: FastifyRequest) => {
  await readMonitorRow(request.db, request.project.id, slugOf(request));
};

/** A project's monitors: jobs and programs that say when they run. */
export function monitorRoutes(api: Api, context: Context) {
  const readerOf = ({ access, caller }: FastifyRequest): MonitorReader => ({
    publicUrl: context.publicUrl(),
    mayUpdate: holds(access, "error-groups:update") && (caller.kind === "session" || caller.write),
  });
  listRoutes(api, readerOf);
  itemRoutes(api, readerOf);
  muteRoutes(api, readerOf);
}

type ReaderOf = (request: FastifyRequest) => MonitorReader;

function listRoutes(api: Api, readerOf: ReaderOf) {
  api.get(
    monitors,
    {
      config: reading,
      schema: {
        operationId: "listMonitors",
        summary: "List the monitors of a project",
        querystring: pageQuery,
        response: { 200: pageOf(monitorAnswer) },
      },
    },
    (request) => listMonitors(request.db, readerOf(request), request.project.id, request.query),
  );

  api.get(
    "/api/projects/:projectId/monitor-days",
    {
      config: reading,
      schema: {
        operationId: "listMonitorDays",
        summary: "List the last 30 days of each monitor",
        description:
          "A day (UTC) is `bad` with a failed, missed or timed out check-in, and `ok` with successful ones only.",
        response: { 200: monitorDaysAnswer },
      },
    },
    async (request) => ({ data: await listMonitorDays(request.db, request.project.id) }),
  );

  api.post(
    monitors,
    {
      config: changing,
      schema: {
        operationId: "createMonitor",
        summary: "Create a monitor",
        description:
          "A schedule is a crontab of five fields, in which months and days of the week may be names, `@daily` and the like, or an interval. Times that the clocks of the time zone skip are moved to the next existing minute, and times that they show twice count once. Check-ins are expected after the first one of an environment.",
        body: monitorBody,
        response: { 201: monitorAnswer },
      },
    },
    async (request, reply) =>
      reply
        .code(201)
        .send(await createMonitor(request.db, readerOf(request), request.project.id, request.body)),
  );

  api.post(
    `${monitors}/preview`,
    {
      config: { needs: reading.needs, feature: reading.feature },
      schema: {
        operationId: "previewSchedule",
        summary: `Show the next ${PREVIEWED_TIMES} times of a schedule`,
        body: schedulePreviewBody,
        response: { 200: schedulePreviewAnswer },
      },
    },
    async ({ body: { schedule, timezone = "UTC" } }) => {
      requireValidSchedule(schedule, timezone);
      const times = nextTimes({ schedule, timezone }, Date.now(), PREVIEWED_TIMES);
      return { data: times.map((time) => new Date(time).toISOString().replace("Z", "000Z")) };
    },
  );
}

function itemRoutes(api: Api, readerOf: ReaderOf) {
  api.get(
    monitor,
    {
      config: reading,
      schema: {
        operationId: "readMonitor",
        summary: "Read a monitor",
        response: { 200: monitorAnswer },
      },
    },
    (request) => readMonitor(request.db, readerOf(request), request.project.id, slugOf(request)),
  );

  api.patch(
    monitor,
    {
      config: changing,
      schema: {
        operationId: "updateMonitor",
        summary: "Update a monitor",
        description:
          "After a change of the schedule or the time zone, check-ins are expected from its next time on.",
        body: monitorChanges,
        response: { 200: monitorAnswer },
      },
      preValidation: mustExist,
    },
    (request) =>
      updateMonitor(request.db, readerOf(request), request.project.id, slugOf(request), request.body),
  );

  api.delete(
    monitor,
    {
      config: changing,
      schema: {
        operationId: "deleteMonitor",
        summary: "Delete a monitor and its check-ins",
        description: "Errors of its failures stay.",
        response: { 204: noBody },
      },
    },
    async (request, reply) => {
      await deleteMonitor(request.db, request.project.id, slugOf(request));
      return reply.code(204).send();
    },
  );

  api.get(
    `${monitor}/check-ins`,
    {
      config: reading,
      schema: {
        operationId: "listCheckIns",
        summary: "List the check-ins of a monitor, newest first",
        description: "Check-ins are kept for 90 days.",
        querystring: checkInsQuery,
        response: { 200: pageOf(checkInAnswer) },
      },
    },
    (request) => listCheckIns(request.db, request.project.id, slugOf(request), request.query),
  );

  api.post(
    `${monitor}/ping-url`,
    {
      config: changing,
      schema: {
        operationId: "renewPingUrl",
        summary: "Replace the ping URL of a monitor",
        description: "The earlier URL is no longer accepted.",
        response: { 200: monitorAnswer },
      },
    },
    (request) => renewPingUrl(request.db, readerOf(request), refOf(request)),
  );
}

function muteRoutes(api: Api, readerOf: ReaderOf) {
  api.post(
    `${monitor}/mute`,
    {
      config: changing,
      schema: {
        operationId: "muteMonitor",
        summary: "Mute a monitor for a time",
        description: "Bad check-ins are recorded, but cause no errors.",
        body: monitorMuteBody,
        response: { 200: monitorAnswer },
      },
      preValidation: mustExist,
    },
    (request) => muteMonitor(request.db, readerOf(request), refOf(request), request.body.until),
  );

  api.delete(
    `${monitor}/mute`,
    {
      config: changing,
      schema: {
        operationId: "unmuteMonitor",
        summary: "End the muting of a monitor",
        response: { 200: monitorAnswer },
      },
    },
    (request) => muteMonitor(request.db, readerOf(request), refOf(request), null),
  );
}
