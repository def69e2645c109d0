import { Checkbox } from "../kit/checkbox.tsx";
import type { OfferedErrors as Offered } from "./use-offered-errors.ts";

/** Offers to link the errors with which the reports came to the new issue. */
export function OfferedErrors({ offered, disabled = false }: { offered: Offered; disabled?: boolean }) {
  const { groups, chosen, toggle } = offered;
  return groups.map(({ id, exception_class, latest_message }) => (
    <Checkbox
      key={id}
      className="max-w-full"
      label={
        <span className="line-clamp-2 wrap-anywhere">
          Also link the error <span className="font-medium">{exception_class}</span>
          {latest_message !== "" && (
            <span dir="auto" className="text-text-2">
              {` ${latest_message}`}
            </span>
          )}
        </span>
      }
      checked={chosen.includes(id)}
      disabled={disabled}
      onChange={() => toggle(id)}
    />
  ));
}
