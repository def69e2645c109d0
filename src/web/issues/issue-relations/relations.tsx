import { Link } from "@tanstack/react-router";
import { CircleAlert, Plus, X } from "lucide-react";
import { useRef } from "react";
import type { Issue } from "../../../shared/issues.ts";
import type { Project } from "../../../shared/projects.ts";
import { useLanes } from "../../data/lanes.ts";
import { can } from "../../data/projects.ts";
import { ItemKey } from "../../lists/item-key.tsx";
import { TypeMark } from "../../kit/type-mark.tsx";
import { Button } from "../../kit/button.tsx";
import { IconButton } from "../../kit/icon-button.tsx";
import { LaneMark } from "../../kit/lane-mark.tsx";
import { announce } from "../../kit/live-region.ts";
import { SectionHead } from "../../kit/section-head.tsx";
import { IssuePicker } from "../issue-picker.tsx";
import { relationError, type Side, useIssuesById, useSetRelations } from "../../data/issue-relations.ts";

const SIDES: { side: Side; title: string; add: string }[] = [
  { side: "blocked_by_ids", title: "Blocked by", add: "Add a blocking issue" },
  { side: "blocks_ids", title: "Blocks", add: "Add a blocked issue" },
  { side: "relates_to_ids", title: "Related to", add: "Add a related issue" },
];

/** The issues that block this one, those it blocks, and those related in another way. */
export function Relations({ project, issue }: { project: Project; issue: Issue }) {
  const editable = can(project, "issues:update");
  if (!editable && SIDES.every(({ side }) => issue[side].length === 0)) return null;
  return (
    <section aria-label="Relations" className="flex min-w-0 flex-wrap gap-x-6 gap-y-1">
      <h2 className="sr-only">Relations</h2>
      {SIDES.map((one) =>
        editable || issue[one.side].length > 0 ? (
          <RelationSide key={one.side} {...one} project={project} issue={issue} editable={editable} />
        ) : null,
      )}
    </section>
  );
}

type SideProps = (typeof SIDES)[number] & { project: Project; issue: Issue; editable: boolean };

function RelationSide({ side, title, add, project, issue, editable }: SideProps) {
  const ids = issue[side];
  const others = useIssuesById(project.id, ids);
  const lanes = useLanes(project.id);
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

  return (
    // An empty side needs only its title and button, so that all three fit in a line.
    <div
      ref={container}
      className={ids.length > 0 ? "min-w-0 basis-full sm:basis-[calc(50%-12px)]" : "print:hidden"}
    >
      <SectionHead isSub title={title} isEmpty={ids.length === 0}>
        {editable && (
          <AddRelation
            {...{ project, issue, add, taken: ids }}
            busy={save.isPending}
            onAdd={(id) => set([...ids, id])}
          />
        )}
      </SectionHead>
      {ids.length > 0 && (
        <ul aria-label={title} className="flex flex-col">
          {ids.map((id) => {
            const other = others.of(id);
            const lane = lanes.find((one) => one.id === other?.lane_id);
            return (
              <li key={id} className="flex min-h-8 min-w-0 items-center gap-2">
                {lane ? <LaneMark kind={lane.kind} name={lane.name} compact /> : <span className="size-4" />}
                {other ? (
                  <Link
                    to="/projects/$projectKey/issues/$issueKey"
                    params={{ projectKey: project.key, issueKey: other.key }}
                    className="flex min-h-6 min-w-0 flex-1 items-center gap-2 rounded-sm hover:underline"
                    title={`${other.key} ${other.title}`}
                  >
                    <TypeMark type={other.type} compact />
                    <ItemKey>{other.key}</ItemKey>
                    <span dir="auto" className="truncate">
                      {other.title}
                    </span>
                  </Link>
                ) : (
                  <span className="flex-1 text-text-3">{others.isPending ? "Loading" : "Not available"}</span>
                )}
                {editable && (
                  <IconButton
                    size="sm"
                    icon={X}
                    label={`Remove ${other?.key ?? "it"} from “${title}”`}
                    disabled={save.isPending}
                    onClick={() => remove(id)}
                  />
                )}
              </li>
            );
          })}
        </ul>
      )}
      {error !== undefined && (
        <p role="alert" className="mt-1 flex items-start gap-1 text-sm text-danger">
          <CircleAlert aria-hidden size={14} className="mt-px shrink-0" />
          {error}
        </p>
      )}
    </div>
  );
}

type AddProps = {
  project: Project;
  issue: Issue;
  add: string;
  taken: readonly number[];
  busy: boolean;
  onAdd: (id: number) => void;
};

function AddRelation({ project, issue, add, taken, busy, onAdd }: AddProps) {
  return (
    <IssuePicker
      project={project}
      label={add}
      value={null}
      except={[issue.id, ...taken]}
      onChange={(id) => id !== null && onAdd(id)}
      trigger={
        <Button size="sm" variant="quiet" icon={Plus} busy={busy} data-add="" aria-label={add}>
          Add
        </Button>
      }
    />
  );
}
