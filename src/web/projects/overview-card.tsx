import type { ReactNode } from "react";
import { QueryError } from "../page/query-error.tsx";

type Props = {
  title: string;
  all: ReactNode;
  /** The card's data. If it fails to load, the card shows the error. */
  query?: { data: unknown; error: Error | null; refetch: () => unknown };
  children: ReactNode;
};

/** A card of the overview with a link to the full list. Lines in it have the margin `-m-4`. */
export function Card({ title, all, query, children }: Props) {
  return (
    <section className="border-line bg-surface min-w-0 rounded-md border">
      <div className="border-line flex h-10 items-center justify-between gap-4 border-b px-4">
        <h2 className="font-semibold">{title}</h2>
        <span className="text-accent-text text-sm [&_a:hover]:underline">{all}</span>
      </div>
      <div className="p-4">
        {query?.error && query.data === undefined ? (
          <QueryError error={query.error} retry={() => void query.refetch()} />
        ) : (
          children
        )}
      </div>
    </section>
  );
}

export const Empty = ({ children }: { children: ReactNode }) => <p className="text-text-2">{children}</p>;
