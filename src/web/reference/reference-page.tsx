import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { SearchX } from "lucide-react";
import { useMemo } from "react";
import { type OpenApi, openApiQuery } from "../data/openapi.ts";
import { EmptyState } from "../kit/empty-state.tsx";
import { LinkButton } from "../kit/button.tsx";
import { LiveRegion } from "../kit/notices/live-region.ts";
import { PageHeader } from "../kit/page-header.tsx";
import { Skeleton } from "../kit/skeleton.tsx";
import { Toasts } from "../kit/toasts.tsx";
import { SplitView } from "../lists/split-view.tsx";
import { QueryError } from "../page/query-error.tsx";
import { given } from "../page/search-params.ts";
import { Paragraphs } from "./paragraphs.tsx";
import { OperationList } from "./operation-list.tsx";
import { OperationView } from "./operation-view.tsx";
import { findOperations } from "./operations.ts";

/** The API reference, which everybody may read. The operation and the search are stored in the address. */
export function ReferencePage() {
  const { operation, query = "" } = useSearch({ from: "/reference" });
  const navigate = useNavigate();
  const read = useQuery(openApiQuery);
  const areas = useMemo(() => (read.data ? findOperations(read.data, query) : []), [read.data, query]);
  const opened = useMemo(
    () =>
      read.data &&
      findOperations(read.data, "")
        .flatMap(({ operations }) => operations)
        .find(({ operationId }) => operationId === operation),
    [read.data, operation],
  );
  const search = (text: string) =>
    void navigate({ to: "/reference", search: given({ operation, query: text }), replace: true });

  return (
    <main id="main" className="flex h-dvh min-h-0 flex-col short:h-auto">
      <title>{opened ? `${opened.summary} · Signalbox API` : "API reference · Signalbox"}</title>
      <PageHeader
        title="API reference"
        crumbs={[
          <Link key="home" to="/">
            Signalbox
          </Link>,
        ]}
        actions={
          <LinkButton size="sm" variant="quiet" href="/api/openapi.json" target="_blank">
            OpenAPI document
          </LinkButton>
        }
      />
      {read.isError ? (
        <QueryError error={read.error} retry={() => void read.refetch()} />
      ) : !read.data ? (
        <Skeleton rows={12} label="Loading the API reference" />
      ) : (
        <SplitView
          label="Details"
          opened={opened?.operationId}
          list={
            <OperationList areas={areas} opened={opened?.operationId} query={query} onSearch={search}>
              {areas.length === 0 && (
                <EmptyState icon={SearchX} title="No operations found" text="Try fewer or different words." />
              )}
            </OperationList>
          }
          preview={
            opened ? (
              <OperationView key={opened.operationId} document={read.data} operation={opened} query={query} />
            ) : null
          }
          empty={<Introduction document={read.data} />}
        />
      )}
      <Toasts />
      <LiveRegion />
    </main>
  );
}

/** What applies to all operations. Narrow screens show the list instead. */
function Introduction({ document }: { document: OpenApi }) {
  const { title, version, description = "" } = document.info;
  return (
    <div className="flex max-w-180 flex-col gap-3 p-4 text-read">
      <h2 className="text-display font-semibold">{`${title} ${version}`}</h2>
      <Paragraphs text={description} />
    </div>
  );
}
