import { queryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import type { ImportKind } from "../../../shared/import-kinds.ts";
import type { Import, importChanges, ListedImport } from "../../../shared/imports.ts";
import { allPages } from "../../api/all-pages.ts";
import { api } from "../../api/client.ts";

const pathOf = (projectId: number, rest = "") => `/api/projects/${projectId}/imports${rest}`;

/** Imports have no live updates, so those that a job works on are read again. */
const POLL_MS = 1_000;
const isBusy = ({ state }: Pick<Import, "state">) => state === "checking" || state === "importing";

export const importsQuery = (projectId: number) =>
  queryOptions({
    queryKey: ["import", projectId],
    queryFn: ({ signal }) => allPages<ListedImport>(pathOf(projectId), 200, signal),
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => (data?.some(isBusy) ? POLL_MS : false),
  });

export const importQuery = (projectId: number, id: number) =>
  queryOptions({
    queryKey: ["import", projectId, id],
    queryFn: ({ signal }) => api.get<Import>(pathOf(projectId, `/${id}`), signal),
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => (data && isBusy(data) ? POLL_MS : false),
  });

export function createImport(projectId: number, { kind, file }: { kind: ImportKind; file: File }) {
  const form = new FormData();
  form.append("kind", kind);
  form.append("file", file);
  return api.post<Import>(pathOf(projectId), form);
}

export const changeImport = (projectId: number, id: number, changes: z.input<typeof importChanges>) =>
  api.patch<Import>(pathOf(projectId, `/${id}`), changes);

export const startImport = (projectId: number, id: number) =>
  api.post<Import>(pathOf(projectId, `/${id}/start`));
