import { useInfiniteQuery } from "@tanstack/react-query";
import { useRouterState } from "@tanstack/react-router";
import { type ReactNode, useEffect, useRef } from "react";
import type { Project } from "../../../shared/projects.ts";
import { artifactsQuery } from "../../data/errors/artifacts.ts";
import { can } from "../../data/projects/projects.ts";
import { Button } from "../../kit/button.tsx";
import { Disclosure } from "../../kit/disclosure.tsx";
import { Skeleton } from "../../kit/skeleton.tsx";
import { QueryError } from "../../page/query-error.tsx";
import { ArtifactList } from "./artifact-list.tsx";
import { MappedFiles } from "./mapped-files.tsx";
import { UploadHelp } from "./upload-help.tsx";

type Props = { project: Project; version: string };

/** The source maps of a release, the files that need one, and how to upload them. */
export function SourceMaps({ project, version }: Props) {
  return (
    <Section>
      <h2 className="font-semibold">Source maps</h2>
      <Uploaded project={project} version={version} />
      <MappedFiles project={project} version={version} />
    </Section>
  );
}

function Uploaded({ project, version }: Props) {
  const query = useInfiniteQuery(artifactsQuery(project.id, version));
  const mayUpload = can(project, "error-groups:update");
  if (query.data === undefined)
    return query.isError ? (
      <QueryError error={query.error} retry={() => void query.refetch()} />
    ) : (
      <Skeleton rows={2} label="Loading the source maps" />
    );
  const artifacts = query.data.pages.flatMap(({ data }) => data);
  if (artifacts.length === 0)
    return (
      <>
        <p className="text-text-2">
          No source maps yet. With the source maps of this build, errors show the original code instead of
          minified lines, those that have already arrived as well.
        </p>
        {mayUpload && <UploadHelp project={project} version={version} />}
      </>
    );
  return (
    <>
      <ArtifactList project={project} version={version} artifacts={artifacts} mayDelete={mayUpload} />
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
      {mayUpload && (
        <Disclosure title="How to upload">
          <UploadHelp project={project} version={version} />
        </Disclosure>
      )}
    </>
  );
}

/** Scrolls into view if the address names it, because it appears after the page. */
function Section({ children }: { children: ReactNode }) {
  const section = useRef<HTMLElement>(null);
  const isNamed = useRouterState({ select: ({ location }) => location.hash === "source-maps" });
  useEffect(() => {
    if (isNamed) section.current?.scrollIntoView({ block: "start" });
  }, [isNamed]);
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
