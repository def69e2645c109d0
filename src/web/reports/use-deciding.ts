import { useEffect, useRef, useState } from "react";
import type { Report } from "../../shared/reports.ts";

/** The promotion of the open report with the fields beside it. */
export type Deciding = {
  /** The report that is to be promoted; its fields send the request as soon as their code is loaded. */
  asked: number | null;
  ask: (id: number) => void;
  settle: (id: number, promoted: boolean) => void;
  /** Promotes with all fields. */
  openDialog: (report: Report) => void;
};

type Options = {
  /** The open report, if it can be promoted. */
  active: number | null;
  onPromoted: (ids: readonly number[]) => void;
  openDialog: (report: Report) => void;
};

export function useDeciding({ active, onPromoted, openDialog }: Options): Deciding {
  const [asked, setAsked] = useState<number | null>(null);
  const latest = useRef(onPromoted);
  useEffect(() => {
    latest.current = onPromoted;
  });
  if (asked !== null && asked !== active) setAsked(null);
  return {
    asked,
    ask: setAsked,
    settle: (id, promoted) => {
      setAsked((now) => (now === id ? null : now));
      // The user may have gone on to another report since, so only the latest callback knows what is open.
      if (promoted) latest.current([id]);
    },
    openDialog,
  };
}
