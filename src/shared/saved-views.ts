import { z } from "zod";
import { moment } from "./answers.ts";
import { AT } from "./example-values.ts";
import { id, line, mustBe, optional, text } from "./text.ts";

/** The lists that can be saved: those of a project, those across all projects, and the search, which can be either. */
const PROJECT_PAGES = ["issues", "board", "errors", "triage", "epics"] as const;
const PAGES = ["my-issues", "all-errors", "search", ...PROJECT_PAGES] as const;
const SHARED_PAGES = ["search", ...PROJECT_PAGES] as const;
const FAVORITES = ["issue", "epic"] as const;

export const MAX_OWN_VIEWS = 100;
export const MAX_SHARED_VIEWS = 50;

const name = line(60);
/** The query of the list's address, such as `state=open&sort=priority`. */
const search = text(2_000);
const newSearch = optional(search).transform((value) => value ?? "");

const inProject = <Page extends z.ZodType>(page: Page) => z.object({ page, project_id: id });

/** A view of a list, or a favorite issue or epic. */
export const ownViewBody = z.discriminatedUnion(
  "page",
  [
    z.object({ page: z.literal(["my-issues", "all-errors"]), name, search: newSearch }),
    z.object({ page: z.literal("search"), project_id: optional(id), name, search: newSearch }),
    inProject(z.literal(PROJECT_PAGES)).extend({ name, search: newSearch }),
    inProject(z.literal("issue")).extend({ issue_id: id }),
    inProject(z.literal("epic")).extend({ epic_id: id }),
  ],
  mustBe(`an object with page, one of ${[...PAGES, ...FAVORITES].join(", ")}`),
);

export type OwnViewBody = z.output<typeof ownViewBody>;

export const sharedViewBody = z.object({
  page: z.literal(SHARED_PAGES, mustBe(`one of ${SHARED_PAGES.join(", ")}`)),
  name,
  search: newSearch,
});

export const viewChanges = z.object({
  /** A favorite cannot be renamed. */
  name: optional(name),
  search: optional(search),
  /** Moves it before this view of the same list, or to the end if it is null. */
  before_id: id.nullable().optional(),
});

export type ViewChanges = z.output<typeof viewChanges>;

export const savedViewAnswer = z.strictObject({
  id,
  page: z.enum([...PAGES, ...FAVORITES]),
  /** Null for a list across all projects. */
  project_id: id.nullable(),
  /** For a favorite, the title of its issue or epic. */
  name: z.string(),
  search: z.string(),
  issue_id: id.nullable(),
  issue_key: z.string().nullable(),
  epic_id: id.nullable(),
  created_at: moment,
});

export type SavedView = z.infer<typeof savedViewAnswer>;

const view = { page: "issues" as const, name: "Urgent bugs", search: "type=1&priority=0" };

/** Examples for the API reference. */
export const savedViewExamples = {
  SavedView: {
    schema: savedViewAnswer,
    example: {
      id: 8,
      project_id: 5,
      ...view,
      issue_id: null,
      issue_key: null,
      epic_id: null,
      created_at: AT,
    },
  },
  OwnViewBody: { schema: ownViewBody, example: { project_id: 5, ...view } },
  SharedViewBody: { schema: sharedViewBody, example: view },
  ViewChanges: { schema: viewChanges, example: { name: "Urgent", before_id: 7 } },
};
