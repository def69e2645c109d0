import { Check, Minus } from "lucide-react";
import { Checkbox } from "../kit/checkbox.tsx";
import { type GridRow, PERMISSION_GRID, type Verb, VERBS, withPermission } from "./permission-grid.ts";

type Props = {
  /** "Permissions of Member" */
  label: string;
  permissions: readonly string[];
  /** Without it the table is read-only. */
  onChange?: (permissions: string[]) => void;
};

const VERB_WORDS: Record<Verb, string> = {
  create: "Create",
  read: "Read",
  update: "Update",
  delete: "Delete",
};

/** A table with a row per thing and a column per verb. */
export function PermissionTable({ label, permissions, onChange }: Props) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrollable region must be reachable by keyboard
    <div className="overflow-x-auto" role="region" aria-label={label} tabIndex={0}>
      <table className="w-full min-w-[16.5rem] border-collapse">
        <caption className="sr-only">{label}</caption>
        <thead>
          <tr className="text-text-3 text-sm">
            <th scope="col" className="py-1 text-start font-medium">
              <span className="sr-only">Resource</span>
            </th>
            {VERBS.map((verb) => (
              <th
                key={verb}
                scope="col"
                className="w-16 py-1 text-center font-medium max-sm:w-10.5 max-sm:text-xs"
              >
                {VERB_WORDS[verb]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {PERMISSION_GRID.map((row) => (
            <tr key={row.thing} className="border-line border-t">
              <th scope="row" className="py-2 pe-2 text-start font-normal">
                <span className="block font-medium">{row.label}</span>
                <span className="text-text-3 block text-sm max-sm:sr-only">{row.hint}</span>
              </th>
              {VERBS.map((verb) => (
                <td key={verb} className="text-center">
                  <Cell row={row} verb={verb} permissions={permissions} onChange={onChange} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

type CellProps = {
  row: GridRow;
  verb: Verb;
  permissions: readonly string[];
  onChange: ((permissions: string[]) => void) | undefined;
};

function Cell({ row, verb, permissions, onChange }: CellProps) {
  const permission = row.verbs[verb];
  if (permission === undefined) return null;
  const isGiven = permissions.includes(permission);
  if (onChange)
    return (
      <Checkbox
        label={`${row.label}: ${verb}`}
        hideLabel
        checked={isGiven}
        onChange={(event) => onChange(withPermission(permissions, permission, event.target.checked))}
      />
    );
  const Mark = isGiven ? Check : Minus;
  return (
    <>
      <Mark
        aria-hidden
        size={16}
        strokeWidth={isGiven ? 2.5 : 1.75}
        className={isGiven ? "text-resolved inline" : "text-text-3 inline"}
      />
      <span className="sr-only">{isGiven ? "Yes" : "No"}</span>
    </>
  );
}
