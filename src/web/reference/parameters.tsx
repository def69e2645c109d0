import { useId } from "react";
import { Input } from "../kit/input.tsx";
import type { ApiParameter } from "../data/openapi.ts";
import { typeText } from "./operations.ts";
import { InlineText } from "./paragraphs.tsx";

type Props = {
  parameters: readonly ApiParameter[];
  values: Record<string, string>;
  onChange: (name: string, value: string) => void;
};

const PLACES = { path: "", query: "query", header: "header" };

/** What each parameter means, and a field for its value in the request. */
export function Parameters({ parameters, values, onChange }: Props) {
  const id = useId();
  return (
    <ul className="@container border-t border-line">
      {parameters.map(({ name, in: where, required, description, schema }) => (
        <li
          key={name}
          className="grid gap-x-4 gap-y-1 border-b border-line py-2 @min-[32rem]:grid-cols-[1fr_14rem]"
        >
          <div className="min-w-0">
            <p className="flex flex-wrap items-baseline gap-x-2">
              <label htmlFor={`${id}-${name}`} className="font-mono text-sm font-medium">
                {name}
              </label>
              <span className="text-sm wrap-anywhere text-text-3">
                {[typeText(schema), PLACES[where], required && "required"].filter(Boolean).join(", ")}
              </span>
            </p>
            {description !== undefined && (
              <p id={`${id}-${name}-text`} className="text-text-2">
                <InlineText text={description} />
              </p>
            )}
          </div>
          <Input
            id={`${id}-${name}`}
            aria-describedby={description === undefined ? undefined : `${id}-${name}-text`}
            aria-required={required || undefined}
            autoComplete="off"
            spellCheck={false}
            value={values[name] ?? ""}
            onChange={(event) => onChange(name, event.target.value)}
          />
        </li>
      ))}
    </ul>
  );
}
