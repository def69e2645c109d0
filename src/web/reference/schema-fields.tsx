import type { OpenApi, Schema } from "../data/openapi.ts";
import { Disclosure } from "../kit/disclosure.tsx";
import { fieldsOf, schemaOf, typeText } from "./operations.ts";
import { InlineText } from "./paragraphs.tsx";

/** The fields of a body. Those of nested objects are rendered when they are opened, because schemas can contain themselves. */
export function SchemaFields({ document, schema }: { document: OpenApi; schema: Schema }) {
  const fields = fieldsOf(document, schema);
  if (fields.length === 0) return <p className="text-text-2">{typeText(schema)}</p>;
  const isNested = fields.map(([, field]) => fieldsOf(document, field).length > 0);
  return (
    <ul className="border-t border-line">
      {fields.map(([name, field, required], index) => {
        const { description } = { ...schemaOf(document, field), ...field };
        const title = (
          <span className="flex min-w-0 flex-wrap items-baseline gap-x-2">
            <code className="text-sm font-medium wrap-anywhere">{name}</code>
            <span className="text-sm font-normal wrap-anywhere text-text-3">
              {typeText(field)}
              {required && ", required"}
            </span>
            {description !== undefined && (
              <span className="w-full font-normal text-text-2">
                <InlineText text={description} />
              </span>
            )}
          </span>
        );
        return (
          <li key={name} className="border-b border-line py-1.5">
            {isNested[index] ? (
              <Disclosure title={title}>
                <SchemaFields document={document} schema={field} />
              </Disclosure>
            ) : (
              // Aligned with the titles that have an arrow.
              <div className={isNested.includes(true) ? "ps-5" : undefined}>{title}</div>
            )}
          </li>
        );
      })}
    </ul>
  );
}
