import { type ReactNode, useState } from "react";
import { errorOf, FormDialog } from "../forms/form-dialog.tsx";
import { useSend } from "../forms/use-send.ts";
import { Field } from "../kit/field.tsx";
import { CodeInput } from "./code-input.tsx";
import { secondFactorQuery } from "../data/account/account.ts";

type Props<A> = {
  title: string;
  submit: string;
  danger?: boolean;
  send: (code: string) => Promise<A>;
  onDone: (answer: A) => void;
  onClose: () => void;
  /** Describes the consequences. */
  children: ReactNode;
};

/** A dialog for an action that needs a code of the second factor or a recovery code. */
export function CodeDialog<A>({ title, submit, danger = false, send, onDone, onClose, children }: Props<A>) {
  const [code, setCode] = useState("");
  const run = useSend<string, A>({ send, stale: [secondFactorQuery.queryKey], onDone });
  return (
    <FormDialog
      title={title}
      submit={submit}
      danger={danger}
      size="sm"
      busy={run.isPending}
      error={run.error}
      fields={["code"]}
      onSubmit={() => run.mutate(code)}
      onClose={onClose}
    >
      <p className="text-text-2">{children}</p>
      <Field
        label="Code"
        hint="The six digits from your authenticator app, or a recovery code."
        error={errorOf(run.error, "code")}
      >
        <CodeInput value={code} onChange={setCode} />
      </Field>
    </FormDialog>
  );
}
