import { Toast as Base } from "@base-ui/react/toast";
import { Check, CircleAlert, Info, X } from "lucide-react";
import { useEffect } from "react";
import { useStore } from "../state/store.ts";
import { cx } from "./cx.ts";
import { IconButton } from "./icon-button.tsx";
import { NoticeRegion } from "./notice-region.tsx";
import { newToasts, type ToastMessage } from "./toast.ts";

const MAX_SHOWN = 3;

type Data = Required<Pick<ToastMessage, "tone" | "action">>;

/** The toasts, at most three, at the lower right. */
export function ToastList() {
  return (
    <Base.Provider limit={MAX_SHOWN}>
      <NoticeRegion
        label="Messages"
        className="pointer-events-none fixed inset-x-4 top-4 z-60 sm:top-auto sm:right-4 sm:bottom-4 sm:left-auto sm:w-90"
      >
        <Base.Viewport role="log" aria-label="Messages" className="flex flex-col-reverse gap-2">
          <Shown />
        </Base.Viewport>
      </NoticeRegion>
    </Base.Provider>
  );
}

/** Newest first; the reversed column puts it at the bottom. */
function Shown() {
  const { toasts, add, close } = Base.useToastManager<Data>();
  const fresh = useStore(newToasts);
  useEffect(() => {
    if (fresh.length === 0) return;
    for (const message of newToasts.get()) add(optionsOf(message));
    newToasts.set([]);
  }, [fresh, add]);
  return toasts.map((item) => <Toast key={item.id} item={item} onClose={() => close(item.id)} />);
}

function optionsOf({ title, description, tone = "neutral", action, seconds }: ToastMessage) {
  return {
    id: `${title} ${description ?? ""}`,
    title,
    description,
    timeout: (seconds ?? (tone === "danger" ? 0 : 6)) * 1_000,
    data: { tone, action },
  };
}

function Toast({ item, onClose }: { item: Base.Root.ToastObject<Data>; onClose: () => void }) {
  const { tone = "neutral", action } = item.data ?? {};
  const Icon = ICONS[tone];
  return (
    <Base.Root
      toast={item}
      role="group"
      // The library sets it for its default role, a dialog.
      aria-modal={undefined}
      className="pointer-events-auto flex animate-appear items-start gap-2 rounded-md bg-surface py-2 ps-3 pe-2 shadow-float data-limited:hidden forced-colors:border"
    >
      <Icon size={16} className={cx("mt-1.5 shrink-0", TONES[tone])} />
      <Base.Content className="min-w-0 flex-1 py-1">
        <Base.Title render={<p />} />
        <Base.Description className="text-sm text-text-2" />
        {action !== undefined && (
          <button
            type="button"
            className="-ms-1 mt-1 min-h-6 rounded-sm px-1 font-medium text-accent-text hover:underline"
            onClick={() => {
              onClose();
              action.onSelect();
            }}
          >
            {action.label}
          </button>
        )}
      </Base.Content>
      <IconButton label="Close message" size="sm" icon={X} onClick={onClose} />
    </Base.Root>
  );
}

const ICONS = { neutral: Info, success: Check, danger: CircleAlert } as const;
const TONES = { neutral: "text-text-3", success: "text-resolved", danger: "text-danger" } as const;
