import type { ReactNode } from "react";
import { QueryError } from "../page/query-error.tsx";
import { Skeleton } from "../kit/skeleton.tsx";

type Props<T> = {
  query: { data: T | undefined; error: Error | null; refetch: () => unknown };
  rows?: number;
  children: (data: T) => ReactNode;
};

/** Renders a query's data, with placeholder rows while it loads and the error if it fails. */
export function Loaded<T>({ query: { data, error, refetch }, rows = 4, children }: Props<T>) {
  if (data !== undefined) return children(data);
  if (error) return <QueryError error={error} retry={() => void refetch()} />;
  return <Skeleton rows={rows} />;
}
