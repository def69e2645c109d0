import { useEffect, useId } from "react";
import type { Project } from "../../shared/projects.ts";
import { useSimilar } from "../data/similar.ts";
import { announce } from "../kit/notices/live-region.ts";
import { useSettled } from "../kit/use-settled.ts";
import { SimilarList } from "./similar-list.tsx";

type Props = {
  project: Project;
  title: string;
  description: string;
  /** The reports and the error that are being promoted. */
  except?: { reportIds: readonly number[]; errorId: number | undefined };
};

/** How long typing must pause, in milliseconds. */
const PAUSE_MS = 400;

/** What resembles the text of a form while it is written. */
export function SimilarWhileTyping({ project, title, description, except = NOTHING }: Props) {
  const id = useId();
  const settled = {
    title: useSettled(title, PAUSE_MS),
    description: useSettled(description, PAUSE_MS),
  };
  const { items: similar } = useSimilar(project, settled, except.reportIds[0]);
  const items = similar.filter(({ kind, id }) =>
    kind === "report" ? !except.reportIds.includes(id) : kind !== "error_group" || id !== except.errorId,
  );
  const hasItems = items.length > 0;
  // Only when they appear: announcing each change would interrupt the person who types.
  useEffect(() => {
    if (hasItems) announce("Similar items are listed below the description.");
  }, [hasItems]);
  if (!hasItems) return null;
  return (
    <section aria-labelledby={id} className="flex min-w-0 flex-col gap-1">
      <h3 id={id} className="font-medium">
        Similar
      </h3>
      <SimilarList project={project} items={items} />
    </section>
  );
}

const NOTHING = { reportIds: [], errorId: undefined };
