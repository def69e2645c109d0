import { useEffect } from "react";
import { Undo2 } from "lucide-react";
import { Button } from "./button.tsx";
import { useStore } from "../state/store.ts";
import { announce } from "./live-region.tsx";
import { NoticeRegion } from "./notice-region.tsx";
import { type Undoable, undoList } from "./undo-list.ts";

const list = undoList();

/**
 * Runs an action after 6 seconds unless it is undone: `undoable({ message: "Report dismissed", run: … })`. Runs it
 * immediately when the page is closed or `flushUndoables` is called, as on navigation.
 */
export function undoable(action: Undoable): void {
  announce(`${action.message}. Press F6 to undo.`);
  list.add(action);
}

/** Runs all pending actions now. */
export function flushUndoables(): void {
  list.flush(false);
}

/** Rendered once in the app: the bars of actions that can still be undone. */
export function UndoBars() {
  const waiting = useStore(list.waiting);
  useEffect(() => {
    const leave = () => list.flush(true);
    addEventListener("pagehide", leave);
    return () => {
      removeEventListener("pagehide", leave);
      list.flush(false);
    };
  }, []);
  return (
    <NoticeRegion
      label="Undo"
      className="pointer-events-none fixed inset-x-4 bottom-4 z-60 flex flex-col items-center gap-2"
    >
      {waiting.map(({ id, message }) => (
        <div
          key={id}
          className="pointer-events-auto flex max-w-full animate-appear items-center gap-3 rounded-md bg-surface py-2 ps-3 pe-2 shadow-float forced-colors:border"
          onPointerEnter={() => list.hold(id)}
          onPointerLeave={() => list.go(id)}
          onFocus={() => list.hold(id)}
          onBlur={() => list.go(id)}
        >
          <span className="min-w-0 truncate">{message}</span>
          <Button size="sm" icon={Undo2} onClick={() => list.undo(id)}>
            Undo
          </Button>
        </div>
      ))}
    </NoticeRegion>
  );
}
