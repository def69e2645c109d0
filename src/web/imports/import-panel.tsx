import { useQuery } from "@tanstack/react-query";
import type { Import } from "../../shared/imports.ts";
import type { Project } from "../../shared/projects.ts";
import { importQuery, startImport } from "../data/integrations/imports.ts";
import { Loaded } from "../forms/loaded.tsx";
import { Panel } from "../forms/panel.tsx";
import { reasonOf } from "../forms/reason.ts";
import { useSend } from "../forms/use-send.ts";
import { Button } from "../kit/button.tsx";
import { countOf } from "../kit/count-text.ts";
import { Disclosure } from "../kit/disclosure.tsx";
import { FormError } from "../kit/form-error.tsx";
import { countsText } from "./counts-text.ts";
import { MappingForm } from "./mapping-form.tsx";

type Props = { project: Project; importId: number };

/** One import: what the check found, how columns and people are mapped, its start, its progress and its result. */
export function ImportPanel({ project, importId }: Props) {
  const query = useQuery(importQuery(project.id, importId));
  return (
    <Panel title={query.data?.filename ?? "Import"} padded>
      <Loaded query={query} rows={3}>
        {(data) => <ImportDetails project={project} data={data} />}
      </Loaded>
    </Panel>
  );
}

function ImportDetails({ project, data }: { project: Project; data: Import }) {
  const start = useSend({
    send: () => startImport(project.id, data.id),
    stale: [
      ["import", project.id],
      ["issue", project.id],
    ],
  });
  const isChecked = data.state === "checked";
  return (
    <div className="flex max-w-read flex-col gap-4">
      <p role="status" className="font-medium">
        {statusOf(data)}
      </p>
      <FormError>{data.error ?? (start.error && reasonOf(start.error))}</FormError>
      {isChecked && (
        <MappingForm key={JSON.stringify([data.map, data.people])} project={project} data={data} />
      )}
      <Rows
        title={countOf(data.counts?.left_out ?? 0, "row is", "rows are")}
        suffix="left out"
        rows={data.left_out}
      />
      <Rows title={countOf(data.notes.length, "note")} rows={data.notes} />
      {isChecked && data.error === null && (
        <div>
          <Button variant="primary" busy={start.isPending} onClick={() => start.mutate()}>
            Start import
          </Button>
        </div>
      )}
    </div>
  );
}

function statusOf({ state, counts, error }: Import): string {
  const there = counts?.already_there
    ? ` ${countOf(counts.already_there, "object is", "objects are")} already here.`
    : "";
  if (state === "checking")
    return counts ? `Checking the file: ${countsText(counts)} so far.` : "Checking the file…";
  if (state === "importing") return counts ? `Importing: ${countsText(counts)} so far.` : "Importing…";
  if (counts === null || error !== null) return "This file cannot be imported yet.";
  return state === "done"
    ? `Imported ${countsText(counts)}.${there}`
    : `Will import ${countsText(counts)}.${there}`;
}

type RowsProps = { title: string; suffix?: string; rows: Import["left_out"] };

function Rows({ title, suffix = "", rows }: RowsProps) {
  if (rows.length === 0) return null;
  return (
    <Disclosure title={`${title} ${suffix}`.trim()}>
      <ul
        className="flex max-h-80 flex-col gap-1 overflow-auto text-sm"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a box that scrolls must be reachable by keyboard
        tabIndex={0}
        aria-label={`${title} ${suffix}`.trim()}
      >
        {rows.map(({ where, text }, n) => (
          // oxlint-disable-next-line react/no-array-index-key -- rows are only added at the end
          <li key={`${n} ${where}`} dir="auto" className="[overflow-wrap:anywhere]">
            <span className="font-medium">{where}:</span> {text}
          </li>
        ))}
      </ul>
    </Disclosure>
  );
}
