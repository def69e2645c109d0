import { Check, CircleAlert, Info, Undo2, X } from "lucide-react";
import { useEffect, useState } from "react";
import { useStore } from "../state/store.ts";
import { Button } from "./button.tsx";
import { cx } from "./cx.ts";
import { fadeOut } from "./fade-out.ts";
import { IconButton } from "./icon-button.tsx";
import { onLeaving } from "./leaving.ts";
import { NoticeRegion } from "./notice-region.tsx";
import type { Shown } from "./notices/notice-list.ts";
import { notices } from "./notices/toast.ts";

const MAX_SHOWN = 5;

/** Once in the app: the newest message, and the others on demand. Pages end above it, so it covers nothing. */
export function Toasts() {
  const shown = useStore(notices.shown);
  const [isOpen, setIsOpen] = useState(false);
  if (isOpen && shown.length < 2) setIsOpen(false);
  const hidden = isOpen ? 0 : shown.length - 1;
  useEffect(() => {
    const stop = onLeaving(() => notices.flush(true));
    return () => {
      stop();
      notices.flush(false);
    };
  }, []);
  return (
    <NoticeRegion
      label="Messages"
      className="pointer-events-none fixed inset-x-4 bottom-4 z-60 sm:left-auto sm:w-90"
    >
      {hidden > 0 && (
        <Button
          size="sm"
          className="pointer-events-auto mb-2 ms-auto flex shadow-float"
          onClick={() => setIsOpen(true)}
        >
          {hidden === 1 ? "1 more message" : `${hidden} more messages`}
        </Button>
      )}
      <div
        ref={isOpen ? undefined : reserveSpace}
        role="log"
        aria-label="Messages"
        className="flex flex-col-reverse gap-2"
      >
        {shown
          .slice(isOpen ? -MAX_SHOWN : -1)
          .toReversed()
          .map((notice) => (
            <Toast key={notice.id} notice={notice} />
          ))}
      </div>
    </NoticeRegion>
  );
}

/** Sets how much of the window's bottom belongs to messages. What is scrolled to its end stays there. */
function reserveSpace(messages: HTMLElement | null) {
  if (messages === null) return;
  const { style } = document.documentElement;
  const region = messages.parentElement ?? messages;
  const observer = new ResizeObserver(() => {
    const height = messages.offsetHeight === 0 ? 0 : region.offsetHeight + MARGINS;
    const ends = [
      document.documentElement,
      ...document.querySelectorAll("[data-scroll-restoration-id]"),
    ].filter(
      ({ scrollTop, scrollHeight, clientHeight }) =>
        scrollTop > 0 && scrollTop + clientHeight > scrollHeight - 2,
    );
    style.setProperty("--messages", `${height}px`);
    for (const end of ends) end.scrollTop = end.scrollHeight;
  });
  observer.observe(region);
  return () => {
    observer.disconnect();
    style.removeProperty("--messages");
  };
}

/** Below and above the messages. */
const MARGINS = 32;

function Toast({ notice }: { notice: Shown }) {
  const { id, title, description, tone = "neutral", action, progress, mayUndo } = notice;
  const Icon = ICONS[tone];
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it only pauses the countdown
    <div
      ref={fadeOut}
      role="group"
      aria-label={title}
      className="pointer-events-auto flex animate-appear items-start gap-2 rounded-md bg-surface py-2 ps-3 pe-2 shadow-float forced-colors:border"
      onPointerEnter={() => notices.hold(id)}
      onPointerLeave={() => notices.resume(id)}
      onFocus={() => notices.hold(id)}
      onBlur={() => notices.resume(id)}
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
