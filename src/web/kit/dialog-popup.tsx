import { Dialog as Base } from "@base-ui/react/dialog";
import { type KeyboardEvent, type ReactNode, type RefObject, useRef, useState } from "react";
import { X } from "lucide-react";
import { Button } from "./button.tsx";
import { CloseDialog } from "./close-dialog.ts";
import { cx } from "./cx.ts";
import { fadeOut } from "./fade-out.ts";
import { IconButton } from "./icon-button.tsx";
import { takeFocus } from "./take-focus.ts";

export type DialogProps = {
  open: boolean;
  onClose: () => void;
  title: ReactNode;
  /** Shows neither the title nor a close button. Screen readers read the title. */
  bare?: boolean;
  description?: ReactNode;
  /** 400, 560 or 760 px wide. */
  size?: "sm" | "md" | "lg";
  /** The user entered something: clicks outside are ignored, and closing asks first. */
  dirty?: boolean;
  /** The content is shown only once: neither a click outside nor Esc closes the dialog, only a footer button. */
  once?: boolean;
  /** The buttons, primary last. A submit button refers to its form by `form`. */
  footer?: ReactNode;
  /** The element to focus first. The default is the first control of the body. */
  initialFocus?: RefObject<HTMLElement | null>;
  role?: "dialog" | "alertdialog";
  children?: ReactNode;
};

/** The content of a `Dialog`. */
export function DialogPopup({
  open,
  onClose,
  title,
  bare = false,
  description,
  size = "md",
  dirty = false,
  once = false,
  footer,
  initialFocus,
  role,
  children,
}: DialogProps) {
  const body = useRef<HTMLDivElement>(null);
  const { asking, close, leave, stay } = useClosing(dirty, onClose);
  return (
    <Base.Root
      open={open}
      disablePointerDismissal={dirty || once || role === "alertdialog"}
      onOpenChange={(next) => !next && !once && close()}
    >
      <Base.Portal>
        <Base.Backdrop
          ref={fadeOut}
          className="fixed inset-0 z-40 animate-fade bg-scrim forced-colors:bg-[Canvas]"
        />
        <Base.Popup
          ref={fadeOut}
          {...(role === undefined ? {} : { role })}
          onKeyDown={submitByKey}
          initialFocus={() => takeFocus(initialFocus?.current ?? firstControl(body.current))}
          className={cx(
            "[--above:clamp(16px,50dvh-320px,12dvh)] fixed inset-x-0 bottom-0 z-40 mx-auto flex max-h-[92dvh] w-full animate-appear flex-col rounded-t-lg bg-surface shadow-float outline-none sm:top-(--above) sm:bottom-auto sm:max-h-[calc(100dvh-2*var(--above))] sm:w-[calc(100%-32px)] sm:rounded-lg forced-colors:border",
            SIZES[size],
          )}
        >
          <Header title={title} description={description} hidden={bare} onClose={once ? undefined : close} />
          <div ref={body} className="fade-below min-h-0 flex-1 overflow-y-auto px-4 pt-1 pb-4">
            {children}
          </div>
          {asking && dirty ? (
            <DiscardQuestion onStay={stay} onLeave={leave} />
          ) : (
            footer !== undefined && (
              <div className="flex flex-wrap items-center justify-end gap-2 border-t border-line px-4 py-3">
                <CloseDialog value={once ? ignore : close}>{footer}</CloseDialog>
              </div>
            )
          )}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

type HeaderProps = Pick<DialogProps, "title" | "description"> & {
  hidden: boolean;
  onClose: (() => void) | undefined;
};

function Header({ title, description, hidden, onClose }: HeaderProps) {
  return (
    <div className={hidden ? "sr-only" : "flex items-start gap-2 px-4 pt-3 pb-2"}>
      <div className="min-w-0 flex-1">
        <Base.Title className="text-title font-semibold">{title}</Base.Title>
        {description !== undefined && (
          <Base.Description className="text-text-2">{description}</Base.Description>
        )}
      </div>
      {onClose && !hidden && (
        <IconButton
          label="Close"
          shortcut="Escape"
          size="sm"
          icon={X}
          onClick={onClose}
          className="-me-1 -my-0.5"
        />
      )}
    </div>
  );
}

/** Closes the dialog, asking first if it is dirty; a second attempt to close keeps it open. */
function useClosing(dirty: boolean, onClose: () => void) {
  const [asking, setAsking] = useState(false);
  const before = useRef<HTMLElement>(null);
  const leave = () => {
    setAsking(false);
    onClose();
  };
  const stay = () => {
    setAsking(false);
    before.current?.focus();
  };
  const close = () => {
    if (!dirty) return leave();
    if (asking) return stay();
    before.current = document.activeElement instanceof HTMLElement ? document.activeElement : null;
    setAsking(true);
  };
  return { asking, close, leave, stay };
}

/** A component of its own, so that React does not reuse the pressed button as the submit button. */
function DiscardQuestion({ onStay, onLeave }: { onStay: () => void; onLeave: () => void }) {
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center justify-end gap-2 border-t border-line px-4 py-3"
    >
      <span className="flex-1">Discard your changes?</span>
      <Button onClick={onStay} ref={focus} shortcut="Escape">
        Keep editing
      </Button>
      <Button variant="danger" onClick={onLeave}>
        Discard
      </Button>
    </div>
  );
}

function submitByKey(event: KeyboardEvent<HTMLElement>) {
  if (event.key !== "Enter" || !(event.metaKey || event.ctrlKey) || event.defaultPrevented) return;
  event.preventDefault();
  event.currentTarget.querySelector<HTMLElement>("button[type=submit]")?.click();
}

const firstControl = (body: HTMLElement | null) =>
  body?.querySelector<HTMLElement>("input, textarea, select, button, a[href], [tabindex='0']");

function focus(element: HTMLElement | null) {
  element?.focus();
}

const ignore = () => {};

const SIZES = { sm: "sm:max-w-sm", md: "sm:max-w-md", lg: "sm:max-w-lg" } as const;
