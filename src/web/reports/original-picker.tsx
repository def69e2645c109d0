import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Project } from "../../shared/projects.ts";
import type { Report } from "../../shared/reports.ts";
import { can } from "../data/projects/projects.ts";
import { useReports } from "../data/reports/reports.ts";
import { searchQuery } from "../data/search.ts";
import { Combobox } from "../kit/combobox.tsx";
import { useSettled } from "../kit/use-settled.ts";
import { searchReports } from "./report-views.ts";
import { useAuthors } from "./use-authors.ts";

export type PickedOriginal = { report_id: number } | { issue_id: number };

type Props = {
  project: Project;
  /** The duplicates, which cannot be their own original. */
  duplicates: readonly Report[];
  value: PickedOriginal | null;
  onChange: (value: PickedOriginal | null) => void;
  open: boolean;
  onOpenChange: (open: boolean) => void;
};

const MAX_REPORTS = 10;

/** Picks the report or issue of the project that reports duplicate, by number, key or words. */
export function OriginalPicker({ project, duplicates, value, onChange, open, onOpenChange }: Props) {
  const [query, setQuery] = useState("");
  const settled = useSettled(query);
  const { data: reports = [] } = useReports(project.id);
  const authorOf = useAuthors(project.id);
  const readsIssues = can(project, "issues:read");
  const issues = useQuery({
    ...searchQuery({ query: settled, kind: "issue", projectId: project.id, limit: 10 }),
    enabled: readsIssues && settled.trim() !== "",
  });
  /** What was picked, with its name: a later search may not find it. */
  const [picked, setPicked] = useState<{ value: string; label: string } | null>(null);

  const others = reports.filter(({ id }) => !duplicates.some((one) => one.id === id));
  const found = [
    ...(query.trim() === ""
      ? []
      : (issues.data ?? []).map(({ id, key, title }) => ({
          value: `issue:${id}`,
          label: `${key} ${title}`,
        }))),
    ...searchReports(others, query, (report) => authorOf(report).name)
      .slice(0, MAX_REPORTS)
      .map(({ id, title }) => ({ value: `report:${id}`, label: `#${id} ${title}` })),
  ];
  const isPickedFound = found.some((choice) => choice.value === picked?.value);
  const choices = picked === null || isPickedFound ? found : [picked, ...found];
  return (
    <Combobox
      choices={choices}
      label="Duplicate of"
      placeholder="Not specified"
      // While searching, Enter picks the best match.
      {...(query === "" ? { none: "Not specified" } : {})}
      value={value === null ? null : keyOf(value)}
      onSearch={setQuery}
      busy={issues.isFetching}
      open={open}
      onOpenChange={(next) => {
        if (!next) setQuery("");
        onOpenChange(next);
      }}
      onChange={(key) => {
        setPicked(choices.find((choice) => choice.value === key) ?? null);
        onChange(originalOf(key));
      }}
    />
  );
}

const keyOf = (original: PickedOriginal) =>
  "issue_id" in original ? `issue:${original.issue_id}` : `report:${original.report_id}`;

function originalOf(key: string | null): PickedOriginal | null {
  if (key === null) return null;
  const [kind, id] = key.split(":");
  return kind === "issue" ? { issue_id: Number(id) } : { report_id: Number(id) };
}
