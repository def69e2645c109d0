import { useEffect, useState, useSyncExternalStore } from "react";
import { Check, CircleAlert, Info, X } from "lucide-react";
import { cx } from "./cx.ts";
import { IconButton } from "./icon-button.tsx";
import { NoticeRegion } from "./notice-region.tsx";
import { type Shown, type ToastMessage, toasts } from "./toasts.ts";

/** Says in passing what happened: `toast({ title: "Link copied", tone: "success" })`. An error stays until it is closed. */
export function toast(message: ToastMessage): () => void {
  return toasts.add(message);
}

/** Once in the app: shows the toasts, at most three, at the lower right. */
export function Toasts() {
  const shown = useSyncExternalStore(toasts.subscribe, toasts.shown);
  return (
    <NoticeRegion
      label="Messages"
      className="pointer-events-none fixed inset-x-4 top-4 z-60 sm:top-auto sm:right-4 sm:bottom-4 sm:left-auto sm:w-90"
    >
      <div
        role="log"
        aria-label="Messages"
        aria-live="polite"
        aria-relevant="additions"
        className="flex flex-col gap-2"
      >
        {shown.map((item) => (
          <Toast key={item.id} item={item} />
        ))}
      </div>
    </NoticeRegion>
  );
}

function Toast({ item }: { item: Shown }) {
  const [held, setHeld] = useState(false);
  const { id, title, description, tone = "neutral", action, seconds } = item;
  useEffect(() => {
    if (held || seconds === 0) return;
    const timer = setTimeout(() => toasts.remove(id), seconds * 1000);
    return () => clearTimeout(timer);
  }, [held, id, seconds]);
  const Icon = ICONS[tone];
  return (
    <div
      className="pointer-events-auto flex animate-appear items-start gap-2 rounded-md bg-surface py-2 ps-3 pe-2 shadow-float forced-colors:border"
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <Icon size={16} className={cx("mt-1.5 shrink-0", TONES[tone])} />
      <div className="min-w-0 flex-1 py-1">
        <p>{title}</p>
        {description !== undefined && <p className="text-sm text-text-2">{description}</p>}
        {action !== undefined && (
          <button
            type="button"
            className="-ms-1 mt-1 min-h-6 rounded-sm px-1 font-medium text-accent-text hover:underline"
            onClick={() => {
              toasts.remove(id);
              action.onSelect();
            }}
          >
            {action.label}
          </button>
        )}
      </div>
      <IconButton label="Close message" size="sm" icon={X} onClick={() => toasts.remove(id)} />
    </div>
  );
}

const ICONS = { neutral: Info, success: Check, danger: CircleAlert } as const;
const TONES = { neutral: "text-text-3", success: "text-resolved", danger: "text-danger" } as const;
