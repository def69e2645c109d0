import { z } from "zod";
import { count, moment } from "./answers.ts";
import { idFilter } from "./filters.ts";
import { clearable, id, line, mustBe, optional } from "./text.ts";
import { AT } from "./example-values.ts";

/** A lane's meaning, independent of its name. */
export const LANE_KINDS = ["backlog", "todo", "doing", "done"] as const;

export type LaneKind = (typeof LANE_KINDS)[number];

const kind = z.enum(LANE_KINDS, mustBe(`one of ${LANE_KINDS.join(", ")}`));

/** Zero-based. The maximum depends on the project's lanes and is checked by the server. */
const position = z.int(mustBe("an integer")).min(0, "must be at least 0");

const MAX_WIP_LIMIT = 1_000;

/** The number of issues above which the board warns. It is a hint: the server accepts any number of issues. */
const wipLimit = z
  .int(mustBe("an integer"))
  .min(1, "must be at least 1")
  .max(MAX_WIP_LIMIT, `must be at most ${MAX_WIP_LIMIT}`);

export const laneBody = z.object({
  name: line(100),
  kind,
  position: optional(position),
  wip_limit: optional(wipLimit),
});

export const laneChanges = z.object({
  name: optional(line(100)),
  kind: optional(kind),
  position: optional(position),
  wip_limit: clearable(wipLimit),
});

/** The lane that receives the issues of a deleted lane. */
export const laneDeletion = z.object({ move_to: idFilter });

export const laneAnswer = z.strictObject({
  id,
  project_id: id,
  name: z.string(),
  kind: z.enum(LANE_KINDS),
  position: count,
  wip_limit: count.nullable(),
  created_at: moment,
});

export type Lane = z.infer<typeof laneAnswer>;

/** The lanes of a new project. */
export const FIRST_LANES: readonly { name: string; kind: LaneKind }[] = [
  { name: "Backlog", kind: "backlog" },
  { name: "To do", kind: "todo" },
  { name: "In progress", kind: "doing" },
  { name: "Done", kind: "done" },
];

/** Examples for the API reference. */
export const laneExamples = {
  Lane: {
    schema: laneAnswer,
    example: {
      id: 22,
      project_id: 5,
      name: "To do",
      kind: "todo",
      position: 1,
      wip_limit: 5,
      created_at: AT,
    },
  },
  LaneBody: { schema: laneBody, example: { name: "In review", kind: "doing", position: 3 } },
  LaneChanges: { schema: laneChanges, example: { position: 2 } },
};
