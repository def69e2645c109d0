import { useNavigate, useSearch } from "@tanstack/react-router";
import { given } from "../page/search-params.ts";
import type { ListSearch } from "./view.ts";

/** The view in the address, and how to change it. */
export function useView() {
  const search: ListSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const change = (changes: ListSearch) =>
    void navigate({
      to: ".",
      search: (before) => given({ ...before, ...changes }),
      replace: true,
      resetScroll: false,
    });
  return { search, change };
}
