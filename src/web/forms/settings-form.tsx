import { type KeyboardEvent, type ReactNode, type SubmitEvent, use } from "react";
import { LeaveQuestion } from "../page/leave-question.tsx";
import { useFocusInvalid } from "../kit/use-focus-invalid.ts";
import { PanelHeading } from "./panel-heading.ts";

type Props = {
  /** Whether something was entered that is neither saved nor being saved. */
  dirty: boolean;
  /** The error of the last attempt to save. */
  error: unknown;
  onSubmit: () => void;
  children: ReactNode;
};

/** A form on a settings page. ⌘↵ submits it from any field; leaving the page with changes asks first. */
export function SettingsForm({ dirty, error, onSubmit, children }: Props) {
  const form = useFocusInvalid(error);
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- ⌘↵ in any of its fields
    <form
      ref={form}
      aria-labelledby={use(PanelHeading)}
      onSubmit={submit}
      onKeyDown={submitByKey}
      className="flex flex-col gap-4"
    >
      {children}
      <LeaveQuestion dirty={dirty} />
    </form>
  );
}

function submitByKey(event: KeyboardEvent<HTMLFormElement>) {
  if (event.key !== "Enter" || !(event.metaKey || event.ctrlKey)) return;
  event.preventDefault();
  event.currentTarget.requestSubmit();
}
