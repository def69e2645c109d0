import { pageOf } from "../../../shared/answers.ts";
import {
  foundEventAnswer,
  groupTagsAnswer,
  keptEventAnswer,
  listedEventAnswer,
} from "../../../shared/kept-events.ts";
import type { Api, Context } from "../../access/context.ts";
import { READING } from "../../access/readable-kinds.ts";
import type { SourceMapReader } from "../../source-maps/mapping/map-reader.ts";
import { groupIdIn, requireGroup } from "../groups/require-group.ts";
import { findEvent } from "./find-event.ts";
import { eventsQuery, listEvents } from "./list-events.ts";
import { listTags } from "./list-tags.ts";
import { readMappedEvent } from "./read-mapped-event.ts";

const config = READING.error_group;
const group = "/api/projects/:projectId/error-groups/:errorGroupId";

type EventPath = { Params: { eventId: string } };

/** Reading the events that error groups keep. */
export function keptEventRoutes(api: Api, context: Context, sourceMaps: SourceMapReader) {
  const preValidation = requireGroup(context.outside);

  api.get(
    `${group}/events`,
    {
      config,
      schema: {
        operationId: "listEvents",
        summary: "List the kept events of an error group, newest first",
        description:
          "Kept are the first ten events, the newest one of each release, those that feedback refers to, and after the first ten at most one per minute, up to 100. `tag` is a key and a value, separated by a colon.",
        querystring: eventsQuery,
        response: { 200: pageOf(listedEventAnswer) },
      },
      preValidation,
    },
    (request) => listEvents(request.errorDb, groupIdIn(request), request.query),
  );

  api.get<EventPath>(
    `${group}/events/:eventId`,
    {
      config,
      schema: {
        operationId: "readEvent",
        summary: "Read a kept event of an error group",
        description:
          "The id is that of a kept event, `latest` or `oldest`. Frames of minified JavaScript have `original` if their source map was uploaded, and otherwise `unmapped`, which says why and what to do.",
        response: { 200: keptEventAnswer },
      },
      preValidation,
    },
    (request) =>
      readMappedEvent(request.errorDb, sourceMaps, {
        projectId: request.project.id,
        groupId: groupIdIn(request),
        which: request.params.eventId,
      }),
  );

  api.get(
    `${group}/tags`,
    {
      config,
      schema: {
        operationId: "listTags",
        summary: "List the tags of an error group's kept events",
        response: { 200: groupTagsAnswer },
      },
      preValidation,
    },
    (request) => listTags(request.errorDb, groupIdIn(request)),
  );

  findEventRoute(api);
}

function findEventRoute(api: Api) {
  api.get<{ Params: { clientEventId: string } }>(
    "/api/projects/:projectId/events/:clientEventId",
    {
      config,
      schema: {
        operationId: "findEvent",
        summary: "Find the error group of an event by the id that the client gave the event",
        description: "`id` is the id of the kept event, or null if the event itself was not kept.",
        response: { 200: foundEventAnswer },
      },
    },
    (request) => findEvent(request.db, request.project.id, request.params.clientEventId),
  );
}
