import { monitorForElements } from "@atlaskit/pragmatic-drag-and-drop/element/adapter";
import { useEffect } from "react";

/** How near to an edge of a scrolling box a drag scrolls it, and how far in a frame. */
const EDGE_PX = 48;
const STEP_PX = 14;

/** Scrolls what is under a drag of this kind when it comes near to an edge: lanes up and down, the board sideways. */
export function useAutoScroll(kind: string) {
  useEffect(() => {
    let frame = 0;
    let point = { clientX: 0, clientY: 0 };
    const turn = () => {
      const under = document.elementFromPoint(point.clientX, point.clientY);
      for (let box = under; box !== null; box = box.parentElement) scroll(box, point);
      frame = requestAnimationFrame(turn);
    };
    const stop = monitorForElements({
      canMonitor: ({ source }) => source.data["kind"] === kind,
      onDragStart: ({ location }) => {
        point = location.initial.input;
        frame = requestAnimationFrame(turn);
      },
      onDrag: ({ location }) => {
        point = location.current.input;
      },
      onDrop: () => cancelAnimationFrame(frame),
    });
    return () => {
      cancelAnimationFrame(frame);
      stop();
    };
  }, [kind]);
}

function scroll(box: Element, { clientX, clientY }: { clientX: number; clientY: number }) {
  const { overflowX, overflowY } = getComputedStyle(box);
  const edges = box.getBoundingClientRect();
  const scrolls = (value: string) => value === "auto" || value === "scroll";
  if (scrolls(overflowY) && box.scrollHeight > box.clientHeight)
    box.scrollTop += pull(clientY - edges.top, edges.bottom - clientY);
  if (scrolls(overflowX) && box.scrollWidth > box.clientWidth)
    box.scrollLeft += pull(clientX - edges.left, edges.right - clientX);
}

const pull = (fromStart: number, fromEnd: number) =>
  fromStart < EDGE_PX ? -STEP_PX : fromEnd < EDGE_PX ? STEP_PX : 0;
