import type { Page as ApiPage } from "../../../../../shared/answers.ts";
import { inlineText } from "../../../../../shared/markdown/fenced.ts";
import type { Release, ReleaseDetail } from "../../../../../shared/releases.ts";
import { factList, joined } from "../../markdown/facts.ts";
import { writeMarkdown, type Part } from "../../markdown/write-markdown.ts";
import { cursor, project, text } from "../calls/arguments.ts";
import { get, type Call } from "../calls/call.ts";
import { findProject, type Project } from "../calls/find-objects.ts";
import { groupEntry, groupReference } from "../calls/group-entry.ts";
import { linkTo } from "../calls/links.ts";
import { writePage } from "../calls/page.ts";
import { readingTool } from "../calls/tool.ts";
import { ToolError } from "../calls/tool-error.ts";
import { shortened, type Entry } from "../calls/write-list.ts";

export const listReleases = readingTool({
  name: "list_releases",
  title: "List releases",
  description:
    "Lists a project's releases, newest first, with how many errors each introduced, regressed and fixed.",
  input: { project, cursor },
  run: async (call, { project: ref, cursor }) => {
    const inProject = await findProject(call, ref);
    const { text, items, next } = await writePage(call, {
      nouns: "releases",
      limit: 50,
      cursor,
      most: 200,
      read: async (page) => {
        const path = `/api/projects/${inProject.id}/releases`;
        const { data, meta } = await get<ApiPage<Release>>(call, path, page);
        return { data, next: meta.next_cursor };
      },
      entriesOf: (releases) => releases.map(entryOf),
    });
    const listed = items.map(({ id, version }) => ({
      id,
      version,
      url: linkToRelease(call, inProject, version),
    }));
    return { text, structured: { project_id: inProject.id, releases: listed, next_cursor: next } };
  },
});

export const getRelease = readingTool({
  name: "get_release",
  title: "Read a release",
  description: "Reads a release with its deploys and the errors that it introduced, regressed and fixed.",
  input: { project, version: text("The version, such as 4.2.1, from list_releases.") },
  run: async (call, { project: ref, version }) => {
    const inProject = await findProject(call, ref);
    const release = await readRelease(call, inProject, version);
    const url = linkToRelease(call, inProject, release.version);
    const ids = (groups: ReleaseDetail["introduced"]) =>
      groups.map((group) => groupReference(call, inProject, group));
    const { id, introduced, regressed, resolved } = release;
    return {
      text: writeMarkdown(partsOf(call, inProject, release, url), call.budget),
      structured: {
        id,
        url,
        project_id: inProject.id,
        introduced: ids(introduced),
        regressed: ids(regressed),
        resolved: ids(resolved),
      },
    };
  },
});

async function readRelease(call: Call, { id }: Project, version: string): Promise<ReleaseDetail> {
  try {
    return await get<ReleaseDetail>(call, `/api/projects/${id}/release`, { version });
  } catch (error) {
    const isMissing = error instanceof ToolError && error.status === 404;
    throw isMissing ? new ToolError("version: the project has no such release.", { status: 404 }) : error;
  }
}

function partsOf(call: Call, inProject: Project, release: ReleaseDetail, url: string): Part[] {
  const groups = (kind: string, listed: ReleaseDetail["introduced"], total: number): Part[] =>
    listed.length === 0
      ? []
      : [
          { text: `## ${kind} errors` },
          {
            nouns: `${kind.toLowerCase()} errors`,
            total,
            items: listed.map((group) => itemOf(groupEntry(call, inProject, group))),
          },
        ];
  return [
    { text: `# Release ${inlineText(shortened(release.version, 200))}` },
    { text: `<${url}>` },
    {
      text: factList([
        ["First seen", release.first_seen_at],
        ["Deploys", joined(release.deploys.slice(0, 5).map(deployOf))],
        ["Events", release.events],
        ["Introduced errors", release.new_groups],
        ["Regressed errors", release.regressed_groups],
        ["Fixed errors", release.resolved_groups],
      ]),
    },
    ...groups("Introduced", release.introduced, release.new_groups),
    ...groups("Regressed", release.regressed, release.regressed_groups),
    ...groups("Fixed", release.resolved, release.resolved_groups),
  ];
}

const itemOf = ({ heading, outside = "" }: Entry) => ({ heading, outside: shortened(outside, 200) });

const deployOf = ({ environment, deployed_at, commit }: Release["deploys"][number]) =>
  [environment ?? "deployed", deployed_at, ...(commit === null ? [] : [commit.slice(0, 12)])].join(" ");

function entryOf({
  version,
  first_seen_at,
  events,
  new_groups,
  regressed_groups,
  resolved_groups,
}: Release): Entry {
  const facts = [
    first_seen_at === null ? "not seen yet" : `first seen ${first_seen_at.slice(0, 16)}Z`,
    `${events} events`,
    `${new_groups} introduced`,
    `${regressed_groups} regressed`,
    `${resolved_groups} fixed`,
  ];
  return { heading: `- Release ${inlineText(shortened(version, 120))} (${facts.join(", ")})` };
}

/** The address with the version in its query, because a path cannot contain every version. */
const linkToRelease = (call: Call, { key }: Project, version: string): string =>
  linkTo(call, key, `release?version=${encodeURIComponent(version)}`);
