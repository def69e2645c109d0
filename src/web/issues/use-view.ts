import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback } from "react";
import { FILTERS } from "./filter-names.ts";

export type Search = Record<string, string | undefined>;

/** The parameters in the address, and how to change them. Setting undefined removes one. */
export function useView() {
  const search: Search = useSearch({ strict: false });
  const navigate = useNavigate();
  const set = useCallback(
    (changes: Search) =>
      void navigate({
        to: ".",
        search: ((old: Search) => ({ ...old, ...changes })) as never,
        replace: true,
        resetScroll: false,
      }),
    [navigate],
  );
  const clear = useCallback(() => set(Object.fromEntries(FILTERS.map((name) => [name, undefined]))), [set]);
  return { search, set, clear };
}
