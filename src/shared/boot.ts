import { z } from "zod";
import { count, pageOf, personExamples } from "./answers.ts";
import { isReadable, MAX_READS } from "./collected-reads.ts";
import { epicAnswer, epicExamples } from "./epics.ts";
import { filterOf } from "./filters.ts";
import { countsAnswer, homeExamples } from "./home.ts";
import { labelAnswer, labelExamples } from "./labels.ts";
import { laneAnswer, laneExamples } from "./lanes.ts";
import { profileAnswer, profileExamples } from "./people.ts";
import { projectAnswer, projectExamples, projectPersonAnswer } from "./projects.ts";
import { savedViewAnswer, savedViewExamples } from "./saved-views.ts";
import { sprintAnswer, sprintExamples } from "./sprints.ts";
import { id } from "./text.ts";
import { workspaceAnswer, workspaceExamples } from "./workspaces.ts";

export const bootQuery = z.object({
  project: z
    .string({ error: "must be given only once" })
    .optional()
    .meta({ description: "The id or key of the project that the page is in." }),
});

/** What every page of the web app needs. Each list is the first page of the list's own route. */
export const bootAnswer = z.strictObject({
  profile: profileAnswer,
  workspaces: pageOf(workspaceAnswer),
  projects: pageOf(projectAnswer),
  unread_count: count,
  /** How soon the next snoozed notification returns. Missing if none is snoozed. */
  next_return_ms: count.optional(),
  views: pageOf(savedViewAnswer),
  /** Null if no project was named, or the caller cannot access it. */
  project: z
    .strictObject({
      id,
      lanes: pageOf(laneAnswer),
      labels: pageOf(labelAnswer),
      sprints: pageOf(sprintAnswer),
      people: pageOf(projectPersonAnswer),
      /** Null if the caller may not read epics. */
      epics: pageOf(epicAnswer).nullable(),
      counts: countsAnswer,
      views: pageOf(savedViewAnswer),
    })
    .nullable(),
});

export type Boot = z.infer<typeof bootAnswer>;

function isRead(path: string): boolean {
  if (!URL.canParse(path, "http://host")) return false;
  const { pathname, search } = new URL(path, "http://host");
  // A path with `..` would be resolved to another one.
  return pathname + search === path && isReadable(pathname);
}

export const readsQuery = z.object({
  paths: filterOf(`must be at most ${MAX_READS} paths of lists and things, separated by spaces`, (value) => {
    const paths = value.split(" ");
    return paths.length <= MAX_READS && paths.every(isRead) ? paths : undefined;
  }),
});

/** The body of each response in the order of the paths; null for any that is not a success. */
export const readsAnswer = z.strictObject({ data: z.array(z.unknown()) });

const only = <Row>(row: Row) => ({ data: [row], meta: { next_cursor: null } });

/** Examples for the API reference. */
export const bootExamples = {
  Reads: { schema: readsAnswer, example: { data: [labelExamples.Label.example, null] } },
  Boot: {
    schema: bootAnswer,
    example: {
      profile: profileExamples.Profile.example,
      workspaces: only(workspaceExamples.Workspace.example),
      projects: only(projectExamples.Project.example),
      unread_count: 3,
      views: only(savedViewExamples.SavedView.example),
      project: {
        id: 5,
        lanes: only(laneExamples.Lane.example),
        labels: only(labelExamples.Label.example),
        sprints: only(sprintExamples.Sprint.example),
        people: only(personExamples.Person.example),
        epics: only(epicExamples.Epic.example),
        counts: homeExamples.Counts.example,
        views: only(savedViewExamples.SavedView.example),
      },
    },
  },
};
