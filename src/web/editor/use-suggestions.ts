import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { recentIssuesQuery } from "../data/issues/recent-issues.ts";
import { peopleQuery } from "../data/projects/people.ts";
import type { Project } from "../../shared/projects.ts";
import { useProfile } from "../data/account/session.ts";
import { workspaceMembersQuery } from "../data/projects/workspaces.ts";
import { languagesMatching } from "./languages.ts";
import { projectsQuery } from "../data/projects/projects.ts";
import { reportsQuery } from "../data/reports/reports.ts";
import { searchQuery } from "../data/search.ts";
import type { Pictured } from "../kit/avatar.tsx";
import { nameOfPerson } from "../kit/initials.ts";
import { useSettled } from "../kit/use-settled.ts";
import { type Command, COMMANDS, commandsMatching } from "./commands.ts";
import { issuesMatching, peopleMatching, reportsMatching } from "./matching.ts";
import { complete, type Trigger } from "./triggers.ts";
import { caretAt, type TextState } from "./text-state.ts";

export type Suggestion = {
  id: string;
  label: string;
  /** Shown beside the label, such as a username or a key. */
  hint: string;
  person?: Pictured;
  /** Missing if it is shown only to say why it cannot be inserted. */
  apply?: (state: TextState) => TextState;
};

const NONE: Suggestion[] = [];
const MAX_SUGGESTIONS = 8;

/** What fits the trigger. Requests are sent once typing pauses, and only for what the person may read. */
export function useSuggestions(projectId: number | undefined, trigger: Trigger | null) {
  const id = projectId ?? 0;
  const known = projectId !== undefined;
  const projects = useQuery({ ...projectsQuery, enabled: known }).data ?? [];
  const project = projects.find((one) => one.id === projectId);
  const me = useProfile().id;
  const people = useQuery({ ...peopleQuery(id), enabled: known });
  const outsiders = useOutsiders(project, people.data, trigger);
  const readsReports = project?.features.reports === true && project.permissions.includes("reports:read");
  const reports = useQuery({
    ...reportsQuery(id),
    enabled: readsReports && trigger?.kind === "report",
    staleTime: 60_000,
  });
  const issues = useIssues(
    projects.filter(({ permissions }) => permissions.includes("issues:read")),
    trigger,
  );

  const isKey = (key: string) => projects.some((one) => one.key === key);
  const find = (): Suggestion[] => {
    switch (trigger?.kind) {
      case "person":
        return [
          ...peopleMatching(people.data ?? [], trigger.query, me).map((person) => ({
            id: String(person.user_id),
            label: nameOfPerson(person),
            hint: `@${person.username}`,
            person,
            apply: replacing(trigger, `@${person.username}`),
          })),
          ...outsiders.map((person) => ({
            id: String(person.user_id),
            label: nameOfPerson(person),
            hint: "not a member of this project",
            person,
          })),
        ].slice(0, MAX_SUGGESTIONS);
      case "report":
        return reportsMatching((readsReports && reports.data) || [], trigger.query, MAX_SUGGESTIONS).map(
          (report) => ({
            id: String(report.id),
            label: report.title,
            hint: `#${report.id}`,
            apply: replacing(trigger, `#${report.id}`),
          }),
        );
      case "issue":
        return issues.map(({ key, title }) => ({
          id: key,
          label: title,
          hint: key,
          apply: replacing(trigger, key),
        }));
      case "command":
        return commandsMatching(COMMANDS, trigger.query).map((command) => ({
          id: command.id,
          label: command.label,
          hint: "",
          apply: running(trigger, command),
        }));
      case "language":
        return languagesMatching(trigger.query).map(({ id: language, label }) => ({
          id: language || "none",
          label,
          hint: language,
          apply: beginningCode(trigger, language),
        }));
      default:
        return NONE;
    }
  };
  return { suggestions: find(), isKey };
}

/** People of the workspace who match what is typed but cannot read the project, so a mention would not reach them. */
function useOutsiders(
  project: Project | undefined,
  people: readonly { user_id: number }[] | undefined,
  trigger: Trigger | null,
) {
  const query = trigger?.kind === "person" ? trigger.query : "";
  const members = useQuery({
    ...workspaceMembersQuery(project?.workspace_id ?? 0),
    enabled: project !== undefined && query !== "",
    staleTime: 60_000,
  });
  if (query === "" || people === undefined) return [];
  const insiders = new Set(people.map(({ user_id }) => user_id));
  const others = (members.data ?? []).filter(({ user_id, active }) => active && !insiders.has(user_id));
  return peopleMatching(others, query);
}

/** Issues of the project whose key was typed: by number, by words, or those that changed last. */
function useIssues(projects: { id: number; key: string }[], trigger: Trigger | null) {
  const typed = trigger?.kind === "issue" ? trigger : undefined;
  const project = projects.find(({ key }) => key === typed?.projectKey.toUpperCase());
  const settled = useSettled(typed?.query ?? "");
  const query = /^\d+$/.test(settled) ? `${project?.key}-${settled}` : settled;
  const found = useQuery({
    ...searchQuery({ query, kind: "issue", projectId: project?.id, limit: MAX_SUGGESTIONS }),
    enabled: project !== undefined && settled !== "",
  });
  const recent = useQuery({
    ...recentIssuesQuery(project?.id, MAX_SUGGESTIONS),
    enabled: project !== undefined && settled === "",
    placeholderData: keepPreviousData,
  });
  if (typed === undefined || project === undefined) return [];
  const all = (settled === "" ? recent.data : found.data) ?? [];
  const own = all.flatMap(({ key, title }) => (key?.startsWith(`${project.key}-`) ? [{ key, title }] : []));
  // Until the answer for what is typed arrives: Enter must not insert an issue that does not match it.
  const isStale = settled !== typed.query || found.isPlaceholderData;
  return isStale ? issuesMatching(own, typed.query) : own;
}

const replacing = (trigger: Trigger, text: string) => (state: TextState) => {
  const done = complete(state.text, trigger.from, state.start, text);
  return caretAt(done.text, done.caret);
};

/** Names the language of a fence and moves the caret into its block, which is added if it is missing. */
const beginningCode = (trigger: Trigger, language: string) => (state: TextState) => {
  const [before, after] = [state.text.slice(0, trigger.from) + language, state.text.slice(state.start)];
  const block = after.startsWith("\n") ? after : `\n\n\`\`\`${after}`;
  return caretAt(before + block, before.length + 1);
};

/** Removes the typed command and runs it on what is left of the line. */
const running = (trigger: Trigger, command: Command) => (state: TextState) =>
  command.run(caretAt(state.text.slice(0, trigger.from) + state.text.slice(state.start), trigger.from));
