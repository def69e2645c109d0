import { useInfiniteQuery } from "@tanstack/react-query";
import { useRouterState } from "@tanstack/react-router";
import { type ReactNode, useEffect, useRef } from "react";
import type { Project } from "../../../shared/projects.ts";
import { artifactsQuery } from "../../data/errors/artifacts.ts";
import { can } from "../../data/projects/projects.ts";
import { Button } from "../../kit/button.tsx";
import { Disclosure } from "../../kit/disclosure.tsx";
import { keepFocus } from "../../kit/keep-focus.ts";
import { Skeleton } from "../../kit/skeleton.tsx";
import { QueryError } from "../../page/query-error.tsx";
import { ArtifactList } from "./artifact-list.tsx";
import { MappedFiles } from "./mapped-files.tsx";
import { UploadHelp } from "./upload-help.tsx";

type Props = { project: Project; version: string };

/** The source maps of a release, the files that need one, and how to upload them. */
export function SourceMaps({ project, version }: Props) {
  const query = useInfiniteQuery(artifactsQuery(project.id, version));
  const artifacts = query.data?.pages.flatMap(({ data }) => data);
  const mayUpload = can(project, "error-groups:update");
  return (
    <Section>
      <h2 className="font-semibold">Source maps</h2>
      {artifacts === undefined ? (
        query.isError ? (
          <QueryError error={query.error} retry={() => void query.refetch()} />
        ) : (
          <Skeleton rows={2} label="Loading the source maps" />
        )
      ) : artifacts.length === 0 ? (
        <p className="text-text-2">
          No source maps yet. With the source maps of this build, errors show the original code instead of
          minified lines, even those that have already arrived.
        </p>
      ) : (
        <ArtifactList project={project} version={version} artifacts={artifacts} mayDelete={mayUpload} />
      )}
      {query.hasNextPage && (
        <Button
          size="sm"
          className="self-center"
          busy={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          Show more source maps
        </Button>
      )}
      <MappedFiles project={project} version={version} />
      {mayUpload && artifacts?.length === 0 && <UploadHelp project={project} version={version} />}
      {mayUpload && artifacts !== undefined && artifacts.length > 0 && (
        <Disclosure title="How to upload">
          <UploadHelp project={project} version={version} />
        </Disclosure>
      )}
    </Section>
  );
}

/** Scrolls into view if the address names it, because it appears after the page. */
function Section({ children }: { children: ReactNode }) {
  const section = useRef<HTMLElement>(null);
  const isNamed = useRouterState({ select: ({ location }) => location.hash === "source-maps" });
  useEffect(() => {
    if (isNamed) section.current?.scrollIntoView({ block: "start" });
  }, [isNamed]);
  useEffect(() => keepFocus(section.current), []);
  return (
    <section
      ref={section}
      id="source-maps"
      aria-label="Source maps"
      className="flex scroll-mt-16 flex-col gap-2"
    >
      {children}
    </section>
  );
}
