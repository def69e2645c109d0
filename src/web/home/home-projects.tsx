import { Link } from "@tanstack/react-router";
import { ChevronDown, type LucideIcon, Search } from "lucide-react";
import { type KeyboardEvent, useState } from "react";
import { flushSync } from "react-dom";
import type { Home } from "../../shared/home.ts";
import type { Project } from "../../shared/projects.ts";
import { byRecency } from "../data/projects/recent-projects.ts";
import { Button } from "../kit/button.tsx";
import { Count } from "../kit/count.tsx";
import { DayStrip } from "../kit/charts/day-strip.tsx";
import { Input } from "../kit/input.tsx";
import { KIND_ICONS } from "../marks/kind-icons.ts";
import { RowText } from "../lists/row-text.tsx";
import { Row, rowLink } from "../lists/row.tsx";
import { type RowLinkProps, useRowKeys } from "../lists/use-row-keys.ts";

type Numbers = Home["projects"][number];

type Props = { projects: readonly Project[]; numbers: readonly Numbers[] | undefined };

/** How many projects are shown first. */
const FEW = 8;

/** The projects with their numbers, most recently opened first. */
export function HomeProjects({ projects, numbers }: Props) {
  const [text, setText] = useState("");
  const words = text.trim().toLowerCase();
  const [all, setAll] = useState(false);
  const found = byRecency(projects).filter(({ name, key }) => `${name} ${key}`.toLowerCase().includes(words));
  // What others changed stays within reach below many projects.
  const isCut = !all && words === "" && found.length > FEW + 2;
  const shown = isCut ? found.slice(0, FEW) : found;
  const keys = useRowKeys(shown.length);
  const numbersOf = new Map(numbers?.map((row) => [row.project_id, row]));
  const openFirst = (event: KeyboardEvent) => {
    if (event.key === "Enter" && !event.nativeEvent.isComposing)
      document.getElementById(keys.boxId)?.querySelector<HTMLElement>("[data-row]")?.click();
  };
  return (
    <section aria-labelledby="projects">
      <div className="flex items-center justify-between gap-4 px-4 pb-2">
        <h2 id="projects" className="font-semibold">
          Projects <span className="font-normal text-text-3">{projects.length}</span>
        </h2>
        <FilterField value={text} onChange={setText} onKeyDown={openFirst} />
      </div>
      <ul id={keys.boxId} className="border-line bg-surface border-t">
        {shown.map((project, index) => (
          <li key={project.id}>
            <ProjectRow
              project={project}
              numbers={numbersOf.get(project.id)}
              current={keys.cursor === index}
              row={keys.row(index)}
            />
          </li>
        ))}
      </ul>
      {isCut && (
        <Button
          size="sm"
          variant="quiet"
          icon={ChevronDown}
          className="mx-4 mt-2"
          onClick={() => {
            flushSync(() => setAll(true));
            // The button has disappeared.
            document.getElementById(keys.boxId)?.querySelectorAll<HTMLElement>("[data-row]")[FEW]?.focus();
          }}
        >
          Show all {found.length} projects
        </Button>
      )}
      {shown.length === 0 && <NoMatch onClear={() => setText("")} />}
    </section>
  );
}

type FilterProps = {
  value: string;
  onChange: (text: string) => void;
  onKeyDown: (event: KeyboardEvent) => void;
};

function FilterField({ value, onChange, onKeyDown }: FilterProps) {
  return (
    <Input
      icon={Search}
      type="search"
      aria-label="Filter projects"
      placeholder="Filter"
      value={value}
      className="w-48"
      onChange={(event) => onChange(event.target.value)}
      onKeyDown={onKeyDown}
    />
  );
}

function NoMatch({ onClear }: { onClear: () => void }) {
  return (
    <div className="flex flex-wrap items-center gap-3 px-4 py-3">
      <p role="status" className="text-text-2">
        No projects match this filter.
      </p>
      <Button size="sm" onClick={onClear}>
        Clear filter
      </Button>
    </div>
  );
}

type ProjectRowProps = {
  project: Project;
  numbers: Numbers | undefined;
  current: boolean;
  row: RowLinkProps;
};

function ProjectRow({ project, numbers, current, row }: ProjectRowProps) {
  return (
    <Row lines={2} current={current} end={numbers && <ProjectNumbers numbers={numbers} />}>
      <span
        title={project.key}
        className="bg-accent-tint text-accent-text w-20 shrink-0 truncate rounded-sm px-1 py-1 text-center text-xs font-semibold"
      >
        {project.key}
      </span>
      <div className="min-w-0">
        <p className="flex">
          <Link
            {...row}
            to="/projects/$projectKey"
            params={{ projectKey: project.key }}
            className={rowLink}
            title={project.name}
            draggable={false}
          >
            <RowText>{project.name}</RowText>
          </Link>
        </p>
        {project.description && (
          <p className="text-text-2 truncate text-sm">
            <RowText>{project.description}</RowText>
          </p>
        )}
      </div>
    </Row>
  );
}

function ProjectNumbers({ numbers }: { numbers: Numbers }) {
  const { waiting_reports, open_errors, regressed_errors, open_issues, daily_counts } = numbers;
  return (
    <span className="hidden items-center gap-4 md:flex">
      <Number
        icon={KIND_ICONS.report}
        value={waiting_reports}
        unit="waiting reports"
        since={numbers.new_reports}
      />
      <Number
        icon={KIND_ICONS.error}
        value={open_errors}
        unit="open errors"
        isWorse={(regressed_errors ?? 0) > 0}
      />
      <Number icon={KIND_ICONS.issue} value={open_issues} unit="open issues" since={numbers.new_issues} />
      <span className="w-21">{daily_counts && <DayStrip counts={daily_counts} />}</span>
    </span>
  );
}

type NumberProps = {
  icon: LucideIcon;
  value: number | null;
  unit: string;
  /** How many are new since the last visit. */
  since?: number | null;
  isWorse?: boolean;
};

/** The place of a number that the user may not read stays empty, so that the columns line up. */
function Number({ icon: Icon, value, unit, since = 0, isWorse = false }: NumberProps) {
  if (value === null) return <span className="w-20" />;
  return (
    <span className={`flex w-20 items-center gap-1.5 ${isWorse ? "text-regressed" : "text-text-2"}`}>
      <Icon aria-hidden size={16} strokeWidth={1.75} />
      <Count value={value} unit={unit} />
      {since !== null && since > 0 && (
        <span className="text-accent-text text-sm" title={`${since} new since your last visit`}>
          +{since}
          <span className="sr-only"> since your last visit</span>
        </span>
      )}
    </span>
  );
}
