import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Project } from "../../shared/projects.ts";
import type { SimilarItem, SimilarKind } from "../../shared/similar.ts";
import { KIND_ICONS } from "../marks/kind-icons.ts";
import { nameOfSimilar, stateOfSimilar } from "./similar-words.ts";

type Props = { project: Project; items: readonly SimilarItem[] };

/** Reports, issues and errors that resemble the text of a form. They open in a new tab, so that the form stays open. */
export function SimilarList({ project, items }: Props) {
  return (
    <ul aria-label="Similar" className="flex flex-col rounded-md border border-line bg-surface">
      {items.map((item) => (
        <li key={`${item.kind}:${item.id}`} className="flex min-w-0 not-last:border-b not-last:border-line">
          <ItemLink project={project} item={item}>
            <KindIcon kind={item.kind} />
            <span dir="auto" className="min-w-0 flex-[1_1_12rem] truncate">
              {nameOfSimilar(item)}
            </span>
            <span className="shrink-0 text-sm text-text-3">{stateOfSimilar(item)}</span>
            <span className="sr-only"> (opens in a new tab)</span>
          </ItemLink>
        </li>
      ))}
    </ul>
  );
}

function KindIcon({ kind }: { kind: SimilarKind }) {
  const Icon = kind === "error_group" ? KIND_ICONS.error : KIND_ICONS[kind];
  return <Icon aria-hidden size={14} className="shrink-0 text-text-3" />;
}

function ItemLink({ project, item, children }: { project: Project; item: SimilarItem; children: ReactNode }) {
  const projectKey = project.key;
  const id = String(item.id);
  const shared = {
    target: "_blank",
    rel: "noopener",
    title: item.title,
    className:
      "flex min-h-8 min-w-0 flex-1 flex-wrap items-center gap-x-2 rounded-md px-3 py-1 hover:bg-hover pointer-coarse:min-h-11",
    children,
  };
  switch (item.kind) {
    case "report":
      return (
        <Link
          to="/projects/$projectKey/reports/$reportId"
          params={{ projectKey, reportId: id }}
          {...shared}
        />
      );
    case "issue":
      return (
        <Link
          to="/projects/$projectKey/issues/$issueKey"
          params={{ projectKey, issueKey: item.key ?? id }}
          {...shared}
        />
      );
    case "error_group":
      return (
        <Link
          to="/projects/$projectKey/errors/$errorGroupId"
          params={{ projectKey, errorGroupId: id }}
          {...shared}
        />
      );
  }
}
