import { Check, CircleAlert, Info, Undo2, X } from "lucide-react";
import { useEffect } from "react";
import { useStore } from "../state/store.ts";
import { Button } from "./button.tsx";
import { cx } from "./cx.ts";
import { IconButton } from "./icon-button.tsx";
import { NoticeRegion } from "./notice-region.tsx";
import type { Shown } from "./notice-list.ts";
import { notices } from "./toast.ts";

const MAX_SHOWN = 3;

/** Once in the app: the newest messages, above the actions for selected rows; on a phone at the top. */
export function Toasts() {
  const shown = useStore(notices.shown);
  useEffect(() => {
    const leave = () => notices.flush(true);
    addEventListener("pagehide", leave);
    return () => {
      removeEventListener("pagehide", leave);
      notices.flush(false);
    };
  }, []);
  return (
    <NoticeRegion
      label="Messages"
      className="pointer-events-none fixed inset-x-4 top-4 z-60 sm:top-auto sm:right-4 sm:bottom-[calc(16px+var(--selection-bar,0px))] sm:left-auto sm:w-90"
    >
      <div role="log" aria-label="Messages" className="flex flex-col-reverse gap-2">
        {shown
          .slice(-MAX_SHOWN)
          .toReversed()
          .map((notice) => (
            <Toast key={notice.id} notice={notice} />
          ))}
      </div>
    </NoticeRegion>
  );
}

function Toast({ notice }: { notice: Shown }) {
  const { id, title, description, tone = "neutral", action, progress, mayUndo } = notice;
  const Icon = ICONS[tone];
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it only pauses the countdown
    <div
      role="group"
      aria-label={title}
      className="pointer-events-auto flex animate-appear items-start gap-2 rounded-md bg-surface py-2 ps-3 pe-2 shadow-float forced-colors:border"
      onPointerEnter={() => notices.hold(id)}
      onPointerLeave={() => notices.go(id)}
      onFocus={() => notices.hold(id)}
      onBlur={() => notices.go(id)}
    >
      <Icon size={16} className={cx("mt-1.5 shrink-0", TONES[tone])} />
      <div className="min-w-0 flex-1 py-1">
        <p className="wrap-anywhere">{title}</p>
        {description !== undefined && <p className="text-sm text-text-2">{description}</p>}
        {progress !== undefined && (
          <div className="flex items-center gap-2 text-sm text-text-2">
            <progress
              aria-label={title}
              className="h-1 min-w-0 flex-1 appearance-none overflow-hidden rounded-full bg-sunken [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:bg-accent"
              {...progress}
            />
            {`${progress.value} of ${progress.max}`}
          </div>
        )}
        {action !== undefined && (
          <button
            type="button"
            className="-ms-1 mt-1 min-h-6 rounded-sm px-1 font-medium text-accent-text hover:underline"
            onClick={() => {
              if (progress === undefined) notices.close(id);
              action.onSelect();
            }}
          >
            {action.label}
          </button>
        )}
      </div>
      {mayUndo && (
        <Button size="sm" icon={Undo2} shortcut="mod+z" onClick={() => notices.undo(id)}>
          Undo
        </Button>
      )}
      {progress === undefined && (
        <IconButton label="Close message" size="sm" icon={X} onClick={() => notices.close(id)} />
      )}
    </div>
  );
}

const ICONS = { neutral: Info, success: Check, danger: CircleAlert } as const;
const TONES = { neutral: "text-text-3", success: "text-resolved", danger: "text-danger" } as const;
