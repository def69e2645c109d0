import { groupingAnswer, mergeBody, unmergeBody } from "../../../shared/error-grouping.ts";
import { errorGroupAnswer } from "../../../shared/error-groups.ts";
import type { Api, Context } from "../../access/context.ts";
import { READING } from "../../access/readable-kinds.ts";
import { groupIdIn, requireGroup } from "../groups/require-group.ts";
import { mergeErrorGroups } from "./merge-groups.ts";
import { readGrouping } from "./read-grouping.ts";
import { splitErrorGroup } from "./split-group.ts";

const group = "/api/projects/:projectId/error-groups/:errorGroupId";

/** Explaining how events are grouped, merging error groups, and splitting their fingerprints off again. */
export function groupingRoutes(api: Api, context: Context) {
  const { needs, feature, area } = READING.error_group;
  api.get(
    `${group}/grouping`,
    {
      config: { needs, feature, area },
      schema: {
        operationId: "readErrorGrouping",
        summary: "Explain how the events of an error group are grouped",
        description:
          "`rule` says what the fingerprint is made of, and `lines` what of each line of the latest event's trace counts. `near` lists groups whose trace differs in one line, among the newest 500 groups of the same class. A fingerprint of `fingerprints` can be passed to `unmerge` unless it is the group's own.",
        response: { 200: groupingAnswer },
      },
    },
    (request) => readGrouping(request.db, request.project.id, groupIdIn(request)),
  );
  mergeRoutes(api, context);
}

function mergeRoutes(api: Api, { outside }: Context) {
  const config = { needs: "error-groups:update", feature: "error_tracking", area: "errors" } as const;
  const preValidation = requireGroup(outside);

  api.post(
    `${group}/merge`,
    {
      config,
      schema: {
        operationId: "mergeErrorGroups",
        summary: "Merge other error groups of the same project and environment into this one",
        description:
          "Counts are added up (users by union); comments, history, watchers and kept events move. From now on, events of the merged groups are counted here, and their ids answer 404 with `merged_into`. 409 if two of the groups are linked to different issues.",
        refuses: [409],
        body: mergeBody,
        response: { 200: errorGroupAnswer },
      },
      preValidation,
    },
    (request) => {
      const { project, caller, body } = request;
      const id = groupIdIn(request);
      return mergeErrorGroups(request.errorDb, project, {
        targetId: id,
        ids: body.error_group_ids,
        actorId: caller.user_id,
      });
    },
  );

  api.post(
    `${group}/unmerge`,
    {
      config,
      schema: {
        operationId: "splitErrorGroup",
        summary: "Split merged fingerprints off an error group",
        description:
          "From now on, their events form groups of their own again. Past counts stay in this group. The group's own first fingerprint cannot be split off.",
        body: unmergeBody,
        response: { 200: errorGroupAnswer },
      },
      preValidation,
    },
    (request) => {
      const { project, caller, body } = request;
      const id = groupIdIn(request);
      return splitErrorGroup(request.errorDb, project, {
        groupId: id,
        fingerprints: body.fingerprints,
        actorId: caller.user_id,
      });
    },
  );
}
