import { Link } from "@tanstack/react-router";
import { CircleAlert, Plus, X } from "lucide-react";
import { type ReactNode, useRef } from "react";
import type { Issue } from "../../../shared/issues.ts";
import type { Project } from "../../../shared/projects.ts";
import { useLanes } from "../../data/projects/lanes.ts";
import { can } from "../../data/projects/projects.ts";
import { ItemKey } from "../../lists/item-key.tsx";
import { TypeMark } from "../../marks/type-mark.tsx";
import { Button } from "../../kit/button.tsx";
import { IconButton } from "../../kit/icon-button.tsx";
import { LaneMark } from "../../marks/lane-mark.tsx";
import { announce } from "../../kit/notices/live-region.ts";
import { SectionHead } from "../../kit/section-head.tsx";
import { IssuePicker } from "../issue-picker.tsx";
import { type PartOpener, REPLACED_BY_MENU } from "../part-opener.ts";
import {
  relationError,
  type Side,
  useIssuesById,
  useSetRelations,
} from "../../data/issues/issue-relations.ts";

const SIDES: { side: Side; title: string; add: string }[] = [
  { side: "blocked_by_ids", title: "Blocked by", add: "Add a blocking issue" },
  { side: "blocks_ids", title: "Blocks", add: "Add a blocked issue" },
  { side: "relates_to_ids", title: "Related to", add: "Add a related issue" },
];

type Props = { project: Project; issue: Issue; openerOf: (side: Side) => PartOpener };

/** The issues that block this one, those it blocks, and those related in another way. */
export function Relations({ project, issue, openerOf }: Props) {
  const editable = can(project, "issues:update");
  return (
    // Each side is always rendered, because it has the picker that the menu opens. An empty one has no heading.
    <section aria-label="Relations" className="hidden min-w-0 flex-wrap gap-x-6 gap-y-1 has-[h3]:flex">
      <h2 className="sr-only">Relations</h2>
      {SIDES.map((one) => (
        <RelationSide
          key={one.side}
          {...one}
          project={project}
          issue={issue}
          editable={editable}
          opener={openerOf(one.side)}
        />
      ))}
    </section>
  );
}

type SideProps = (typeof SIDES)[number] & {
  project: Project;
  issue: Issue;
  editable: boolean;
  opener: PartOpener;
};

function RelationSide({ side, title, add, project, issue, editable, opener }: SideProps) {
  const ids = issue[side];
  const others = useIssuesById(project.id, ids);
  const save = useSetRelations(project.id);
  const container = useRef<HTMLDivElement>(null);
  const error = save.isError ? relationError(save.error, side) : undefined;
  const set = (next: number[], done?: string) =>
    save.mutate({ id: issue.id, side, ids: next }, { onSuccess: () => done !== undefined && announce(done) });
  const remove = (id: number) => {
    set(
      ids.filter((other) => other !== id),
      `${others.of(id)?.key ?? "Issue"} removed from “${title}”`,
    );
    container.current?.querySelector<HTMLElement>("button[data-add]")?.focus();
  };

  const isAdding = save.isPending && save.variables.ids.length > 0;
  const isShown = ids.length > 0 || isAdding || error !== undefined;
  const picker = editable && (
    <AddRelation
      {...{ project, issue, add, opener }}
      taken={ids}
      isInMenu={!isShown}
      busy={save.isPending}
      onAdd={(id) => set([...ids, id])}
    />
  );
  if (!isShown) return picker;

  return (
    <div ref={container} className="min-w-0 basis-full sm:basis-[calc(50%-12px)]">
      <SectionHead isSub title={title} isEmpty={ids.length === 0}>
        {picker}
      </SectionHead>
      {ids.length > 0 && (
        <ul aria-label={title} className="flex flex-col">
          {ids.map((id) => {
            const other = others.of(id);
            return (
              <RelatedIssue key={id} project={project} issue={other} isLoading={others.isPending}>
                {editable && (
                  <IconButton
                    size="sm"
                    icon={X}
                    label={`Remove ${other?.key ?? "it"} from “${title}”`}
                    disabled={save.isPending}
                    onClick={() => remove(id)}
                  />
                )}
              </RelatedIssue>
            );
          })}
        </ul>
      )}
      {error !== undefined && <RelationError>{error}</RelationError>}
    </div>
  );
}

function RelationError({ children }: { children: string }) {
  return (
    <p role="alert" className="mt-1 flex items-start gap-1 text-sm text-danger">
      <CircleAlert aria-hidden size={14} className="mt-px shrink-0" />
      {children}
    </p>
  );
}

type RelatedProps = {
  project: Project;
  /** Undefined while it is loading, and if it cannot be read. */
  issue: Issue | undefined;
  isLoading: boolean;
  /** What is beside it. */
  children: ReactNode;
};

function RelatedIssue({ project, issue, isLoading, children }: RelatedProps) {
  const lane = useLanes(project.id).find(({ id }) => id === issue?.lane_id);
  return (
    <li className="flex min-h-8 min-w-0 items-center gap-2">
      {lane ? <LaneMark kind={lane.kind} name={lane.name} compact /> : <span className="size-4" />}
      {issue ? (
        <Link
          to="/projects/$projectKey/issues/$issueKey"
          params={{ projectKey: project.key, issueKey: issue.key }}
          className="flex min-h-6 min-w-0 flex-1 items-center gap-2 rounded-sm hover:underline"
          title={`${issue.key} ${issue.title}`}
        >
          <TypeMark type={issue.type} compact />
          <ItemKey>{issue.key}</ItemKey>
          <span dir="auto" className="truncate">
            {issue.title}
          </span>
        </Link>
      ) : (
        <span className="flex-1 text-text-3">{isLoading ? "Loading" : "Not available"}</span>
      )}
      {children}
    </li>
  );
}

type AddProps = {
  project: Project;
  issue: Issue;
  add: string;
  opener: PartOpener;
  /** The side is empty, so only the menu opens the picker. */
  isInMenu: boolean;
  taken: readonly number[];
  busy: boolean;
  onAdd: (id: number) => void;
};

function AddRelation({ project, issue, add, opener, isInMenu, taken, busy, onAdd }: AddProps) {
  return (
    <IssuePicker
      project={project}
      label={add}
      value={null}
      except={[issue.id, ...taken]}
      onChange={(id) => id !== null && onAdd(id)}
      open={opener.open}
      onOpenChange={opener.onOpenChange}
      anchor={isInMenu ? opener.button : null}
      trigger={
        isInMenu ? (
          <span hidden />
        ) : (
          <Button
            size="sm"
            variant="quiet"
            icon={Plus}
            busy={busy}
            data-add=""
            aria-label={add}
            {...REPLACED_BY_MENU}
          >
            Add
          </Button>
        )
      }
    />
  );
}
