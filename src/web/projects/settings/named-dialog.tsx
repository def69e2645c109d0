import type { QueryKey } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { changesOf, isChanged } from "../../forms/changes-of.ts";
import { errorOf, FormDialog } from "../../forms/form-dialog.tsx";
import { useSend } from "../../forms/use-send.ts";
import { NameField } from "../../forms/name-field.tsx";

type Props<F> = {
  /** The kind of thing, such as "lane". */
  what: string;
  projectId: number;
  parts: {
    add: (projectId: number, fields: F) => Promise<unknown>;
    change: (projectId: number, id: number, changes: Partial<F>) => Promise<unknown>;
  };
  /** The one to change; undefined to create one. */
  thing: { id: number; name: string } | undefined;
  start: F;
  stale: readonly QueryKey[];
  onClose: () => void;
  /** The fields after the name. */
  children: (form: { fields: F; change: (changes: Partial<F>) => void; error: unknown }) => ReactNode;
};

/** A dialog that creates or changes something with a name, such as a lane or a label. */
export function NamedDialog<F extends { name: string }>(props: Props<F>) {
  const { what, projectId, parts, thing, stale, onClose, children } = props;
  const [start] = useState(props.start);
  const [fields, setFields] = useState(start);
  const change = (changes: Partial<F>) => setFields({ ...fields, ...changes });
  const dirty = isChanged(start, fields);
  const save = useSend({
    send: () =>
      thing ? parts.change(projectId, thing.id, changesOf(start, fields)) : parts.add(projectId, fields),
    stale,
    onDone: onClose,
  });
  return (
    <FormDialog
      title={thing ? `Edit ${thing.name}` : `Add ${what}`}
      submit={thing ? "Save" : "Add"}
      busy={save.isPending}
      dirty={dirty}
      error={save.error}
      fields={Object.keys(fields)}
      onSubmit={() => (thing && !dirty ? onClose() : save.mutate())}
      onClose={onClose}
    >
      <NameField
        value={fields.name}
        onChange={(value) => change({ name: value } as Partial<F>)}
        error={errorOf(save.error, "name")}
      />
      {children({ fields, change, error: save.error })}
    </FormDialog>
  );
}
