import type { QueryClient } from "@tanstack/react-query";
import type { SavedView } from "../../../shared/saved-views.ts";
import { api } from "../../api/client.ts";
import { useSend } from "../../forms/use-send.ts";
import { useOptimistic } from "../cache/use-optimistic.ts";
import { viewsPath, viewsQuery } from "./saved-views.ts";

/** What to save; a `projectId` shares it with that project. */
export type NewView = { body: Partial<SavedView> & Pick<SavedView, "page">; sharedWith: number | null };

export const saveView = (body: NewView["body"], sharedWith: number | null = null) =>
  api.post<SavedView>(viewsPath(sharedWith), body);

export const useSaveView = (onDone?: (view: SavedView) => void) =>
  useSend<NewView, SavedView>({
    send: ({ body, sharedWith }) => saveView(body, sharedWith),
    stale: [["saved_view"]],
    onDone,
  });

export const useRenameView = (sharedWith: number | null, onDone: () => void) =>
  useSend<Pick<SavedView, "id" | "name">>({
    send: ({ id, name }) => api.patch(`${viewsPath(sharedWith)}/${id}`, { name }),
    stale: [["saved_view", sharedWith]],
    onDone,
  });

export const useDeleteView = (sharedWith: number | null) =>
  useOptimistic<SavedView>({
    key: ["saved_view", sharedWith],
    send: ({ id }) => api.delete(`${viewsPath(sharedWith)}/${id}`),
    patch: (client, { id }) =>
      patchViews(client, sharedWith, (views) => views.filter((view) => view.id !== id)),
    failed: "The view could not be removed",
  });

/** Moves a view to an index among the others. */
export const useMoveView = (sharedWith: number | null) =>
  useOptimistic<{ view: SavedView; index: number; before: SavedView | undefined }>({
    key: ["saved_view", sharedWith],
    send: ({ view, before }) =>
      api.patch(`${viewsPath(sharedWith)}/${view.id}`, { before_id: before?.id ?? null }),
    patch: (client, { view, index }) =>
      patchViews(client, sharedWith, (views) =>
        views.filter(({ id }) => id !== view.id).toSpliced(index, 0, view),
      ),
    failed: "The view could not be moved",
  });

function patchViews(
  client: QueryClient,
  sharedWith: number | null,
  change: (views: SavedView[]) => SavedView[],
) {
  const { queryKey } = viewsQuery(sharedWith);
  const before = client.getQueryData(queryKey);
  if (before) client.setQueryData(queryKey, change(before));
  return () => void client.setQueryData(queryKey, before);
}
