import { inlineText } from "../../../../../shared/markdown/fenced.ts";
import type { SearchHit, SearchHits } from "../../../../../shared/search.ts";
import type { SimilarItem, SimilarItems } from "../../../../../shared/similar.ts";
import { id, project, text } from "../calls/arguments.ts";
import { get, type Call } from "../calls/call.ts";
import { findProject } from "../calls/find-objects.ts";
import { linkTo } from "../calls/links.ts";
import { readingTool } from "../calls/tool.ts";
import { writeShortList, type Entry } from "../calls/write-list.ts";

export const search = readingTool({
  name: "search",
  title: "Search",
  description:
    "Searches issues, epics, reports, errors, projects and comments of all projects that the token may read.",
  input: {
    query: text("The words to search for. Each starts a word of the result."),
    project: project.optional(),
    kind: text(
      "Only these kinds, separated by commas: issue, epic, report, error_group, project, comment.",
    ).optional(),
  },
  run: async (call, { query, project: ref, kind }) => {
    const inProject = ref === undefined ? undefined : await findProject(call, ref);
    const { data } = await get<SearchHits>(call, "/api/search", { query, kind, project_id: inProject?.id });
    const keys = await readProjectKeys(call, data);
    const hits = data.map((hit) => ({ hit, url: linkToHit(call, hit, keys.get(hit.project_id) ?? "") }));
    const entries = hits.map(({ hit, url }) => entryOf(hit, url));
    return {
      text: writeShortList(entries, "results", call.budget),
      structured: {
        results: hits.map(({ hit: { kind, id, key, project_id }, url }) => ({
          kind,
          id,
          key,
          project_id,
          url,
        })),
      },
    };
  },
});

export const similar = readingTool({
  name: "similar",
  title: "Find similar reports, issues and errors",
  description:
    "Finds up to five reports, issues and errors of a project that are similar to a text. Use it before creating an issue.",
  input: {
    project,
    title: text("The title of the new issue or report."),
    description: text("Its text.").optional(),
    except_report_id: id(
      "The report that others are compared with, so that it is not found itself.",
    ).optional(),
  },
  run: async (call, { project: ref, title, description, except_report_id }) => {
    const inProject = await findProject(call, ref);
    const path = `/api/projects/${inProject.id}/similar`;
    const { data } = await get<SimilarItems>(call, path, {
      title,
      except_report_id,
      // The route compares no more than this, and a URL is not as long as a body.
      description: description?.slice(0, 2_000),
    });
    const items = data.map((item) => ({ item, url: linkTo(call, inProject.key, pageOf(item)) }));
    return {
      text: writeShortList(
        items.map(({ item, url }) => similarEntry(item, url)),
        "similar items",
        call.budget,
      ),
      structured: {
        project_id: inProject.id,
        items: items.map(({ item: { kind, id, key, state, score }, url }) => ({
          kind,
          id,
          key,
          state,
          score,
          url,
        })),
      },
    };
  },
});

async function readProjectKeys({ db }: Call, hits: SearchHit[]): Promise<Map<number, string>> {
  const ids = [...new Set(hits.map(({ project_id }) => project_id))];
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom("projects").select(["id", "key"]).where("id", "in", ids).execute();
  return new Map(rows.map(({ id, key }) => [id, key]));
}

function entryOf({ kind, id, key, title, excerpt }: SearchHit, url: string): Entry {
  return {
    heading: `- ${nameOf(kind, id, key)} <${url}>`,
    outside: excerpt === "" ? title : `${title}\n${excerpt}`,
  };
}

function similarEntry({ kind, id, key, title, state, score }: SimilarItem, url: string): Entry {
  const facts = `${state}, ${Math.round(score * 100)} % similar`;
  return { heading: `- ${nameOf(kind, id, key)} (${facts}) <${url}>`, outside: title };
}

const NOUNS = {
  issue: "Issue",
  epic: "Epic",
  report: "Report",
  error_group: "Error",
  project: "Project",
  comment: "Comment on",
};

const nameOf = (kind: SearchHit["kind"], id: number, key: string | null): string =>
  `${NOUNS[kind]} ${inlineText(key ?? String(id))}`;

function linkToHit(call: Call, hit: SearchHit, projectKey: string): string {
  const { kind, id, key, issue_id, epic_id, error_group_id, report_id } = hit;
  if (kind === "project") return linkTo(call, projectKey, "board");
  if (kind !== "comment") return linkTo(call, projectKey, pageOf({ kind, id, key }));
  if (issue_id !== null) return linkTo(call, projectKey, `issues/${key ?? issue_id}`);
  if (epic_id !== null) return linkTo(call, projectKey, `epics/${epic_id}`);
  return linkTo(
    call,
    projectKey,
    error_group_id === null ? `reports/${report_id}` : `errors/${error_group_id}`,
  );
}

type Page = { kind: "issue" | "epic" | "report" | "error_group"; id: number; key: string | null };

function pageOf({ kind, id, key }: Page): string {
  if (kind === "issue") return `issues/${key ?? id}`;
  return `${kind === "error_group" ? "errors" : `${kind}s`}/${id}`;
}
