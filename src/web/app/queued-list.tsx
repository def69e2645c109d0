import { useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CircleAlert, CloudOff } from "lucide-react";
import { useEffect, useId, useRef, useState } from "react";
import { cancelChange, ignoreConflict } from "../data/offline/change-queue.ts";
import { isListOpen } from "../data/offline/list-open.ts";
import { isWaiting, type QueuedChange, queuedChanges } from "../data/offline/queued-changes.ts";
import { Button } from "../kit/button.tsx";
import { countOf } from "../kit/count-text.ts";
import { cx } from "../kit/cx.ts";
import { Time } from "../kit/dates/time.tsx";
import { useStore } from "../state/store.ts";

/** How many changes wait for the connection or were rejected, and on demand which. */
export function QueuedList({ isLost }: { isLost: boolean }) {
  const changes = useStore(queuedChanges);
  const isOpen = useStore(isListOpen);
  const listId = useId();
  const toggle = useRef<HTMLButtonElement>(null);
  useEffect(() => () => isListOpen.set(false), []);
  return (
    <>
      <p role="status" className="px-4 py-2">
        {statusOf(changes, isLost)}
      </p>
      <Button
        ref={toggle}
        size="sm"
        className="my-1 me-4 ms-auto"
        aria-expanded={isOpen}
        aria-controls={isOpen ? listId : undefined}
        onClick={() => isListOpen.set(!isOpen)}
      >
        {isOpen ? "Hide changes" : `Show ${countOf(changes.length, "change")}`}
      </Button>
      {isOpen && (
        <ul
          id={listId}
          aria-label="Changes that have not been sent"
          className="border-line bg-surface text-text divide-line max-h-[50dvh] w-full divide-y overflow-y-auto border-y"
        >
          {changes.map((change) => (
            <Change key={change.id} change={change} onGone={() => keepFocus(toggle.current)} />
          ))}
        </ul>
      )}
    </>
  );
}

/** "2 changes are waiting to be sent. 1 change could not be sent." */
function statusOf(changes: readonly QueuedChange[], isLost: boolean): string {
  const waiting = changes.filter(isWaiting).length;
  const rejected = changes.length - waiting;
  const waitingText = `${countOf(waiting, "change")} ${waiting === 1 ? "is" : "are"} waiting to be sent.`;
  return [
    waiting > 0 && (isLost ? waitingText : `Sending ${countOf(waiting, "change")}.`),
    rejected > 0 && `${countOf(rejected, "change")} could not be sent.`,
  ]
    .filter(Boolean)
    .join(" ");
}

/** Moves the focus that a removed button had, unless the text of a comment has taken it. */
function keepFocus(toggle: HTMLElement | null): void {
  requestAnimationFrame(() => {
    if (document.activeElement !== document.body) return;
    if (toggle?.isConnected) toggle.focus();
    else document.getElementById("main")?.focus();
  });
}

type ChangeProps = { change: QueuedChange; onGone: () => void };

function Change({ change, onGone }: ChangeProps) {
  const { title, page, created_at, shows, refusal } = change;
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2">
      {refusal === undefined ? (
        <CloudOff aria-hidden size={16} className="shrink-0 text-text-3" />
      ) : (
        <CircleAlert aria-hidden size={16} className="shrink-0 text-danger" />
      )}
      <div className="min-w-0 flex-1 basis-60">
        <p className="flex flex-wrap gap-x-2">
          {/* The address is one of the app's pages, which the type of `to` does not know. */}
          <Link to={page as "/"} className="min-w-0 truncate font-medium hover:underline">
            {title}
          </Link>
          <span className="text-text-3">
            <Time at={created_at} />
          </span>
        </p>
        {shows.kind === "comment" && <p className="truncate text-sm text-text-2">{shows.content}</p>}
        {refusal !== undefined && <Refusal change={change} />}
      </div>
      <Actions change={change} onGone={onGone} />
    </li>
  );
}

const Refusal = ({ change: { refusal, shows } }: { change: QueuedChange }) => (
  <p className="text-sm text-danger">
    {refusal}
    {shows.kind === "comment" && " Your text is back in its field."}
  </p>
);

/** The buttons stay while the change is being sent, because a click during which they were replaced would be lost. */
function Actions({ change, onGone }: ChangeProps) {
  const client = useQueryClient();
  const [isCanceling, setCanceling] = useState(false);
  const isRejected = !isWaiting(change);
  const cancel = async () => {
    // An attempt to send it ends first.
    setCanceling(true);
    await cancelChange(client, change.id).finally(() => setCanceling(false));
    onGone();
  };
  return (
    <div className="ms-auto flex gap-2">
      {change.isConflict && (
        <Button
          size="sm"
          aria-label={`Send anyway: ${change.title}`}
          onClick={() => void ignoreConflict(client, change.id).then(onGone)}
        >
          Send anyway
        </Button>
      )}
      <Button
        size="sm"
        className={cx(change.isConflict && "border-transparent")}
        aria-label={`${isRejected ? "Discard" : "Cancel"}: ${change.title}`}
        busy={isCanceling}
        onClick={() => void cancel()}
      >
        {isRejected ? "Discard" : "Cancel"}
      </Button>
    </div>
  );
}
