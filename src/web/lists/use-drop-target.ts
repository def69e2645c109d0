import { useCallback, useEffect, useRef, useState } from "react";
import { dropTargetForElements } from "@atlaskit/pragmatic-drag-and-drop/element/adapter";
import { attachClosestEdge } from "@atlaskit/pragmatic-drag-and-drop-hitbox/closest-edge/attach-closest-edge";
import { extractClosestEdge } from "@atlaskit/pragmatic-drag-and-drop-hitbox/closest-edge/extract-closest-edge";
import type { Dragged } from "./use-draggable-item.ts";

export type DropEdge = "before" | "after";

type Options = {
  kind: string;
  /** The id of the item, or of the list for the empty area of a lane. */
  id: string;
  list?: string;
  /** `none` accepts a drop anywhere, such as in a lane. */
  edges?: "vertical" | "horizontal" | "none";
  onDrop: (dragged: Dragged, edge: DropEdge) => void;
};

/**
 * Makes an element a drop target for items of its kind: `ref={ref}`. `edge` is where the item would land, or null while
 * none is over it. Only the innermost target gets the drop.
 */
export function useDropTarget({ kind, id, list = "", edges = "vertical", onDrop }: Options) {
  const [edge, setEdge] = useState<DropEdge | null>(null);
  const latest = useRef(onDrop);
  useEffect(() => {
    latest.current = onDrop;
  });
  const ref = useCallback(
    (element: HTMLElement | null) => {
      if (element === null) return undefined;
      const edgeOf = (data: Record<string | symbol, unknown>): DropEdge => {
        const closest = extractClosestEdge(data);
        return closest === "top" || closest === "left" ? "before" : "after";
      };
      return dropTargetForElements({
        element,
        canDrop: ({ source }) => source.data["kind"] === kind && source.data["id"] !== id,
        getData: ({ input }) =>
          edges === "none"
            ? { id, list }
            : attachClosestEdge(
                { id, list },
                {
                  element,
                  input,
                  allowedEdges: edges === "vertical" ? ["top", "bottom"] : ["left", "right"],
                },
              ),
        getIsSticky: () => edges !== "none",
        onDrag: ({ self, location }) =>
          setEdge(location.current.dropTargets[0]?.element === element ? edgeOf(self.data) : null),
        onDragLeave: () => setEdge(null),
        onDrop: ({ self, source, location }) => {
          setEdge(null);
          if (location.current.dropTargets[0]?.element !== element) return;
          latest.current(source.data as Dragged, edgeOf(self.data));
        },
      });
    },
    [kind, id, list, edges],
  );
  return { ref, edge };
}
