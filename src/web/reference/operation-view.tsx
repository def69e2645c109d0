import { Link } from "@tanstack/react-router";
import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { ArrowLeft } from "lucide-react";
import type { OpenApi } from "../data/openapi.ts";
import { recentProjects } from "../data/projects/recent-projects.ts";
import { CodeBlock } from "../kit/markdown/code-block.tsx";
import { CopyButton } from "../kit/copy-button.tsx";
import { Disclosure } from "../kit/disclosure.tsx";
import { Textarea } from "../kit/textarea.tsx";
import { Method } from "./method.tsx";
import { answerOf, type Operation } from "./operations.ts";
import { Parameters } from "./parameters.tsx";
import { bodyType, canSend, curlOf, exampleOf, type Filled, javaScriptOf } from "./requests.ts";
import { SchemaFields } from "./schema-fields.tsx";
import { TryIt } from "./try-it.tsx";
import { InlineText, Paragraphs } from "./paragraphs.tsx";

type Props = { document: OpenApi; operation: Operation; query: string };

/** One operation: what it does, takes and answers, how to call it, and its response to a request from here. */
export function OperationView({ document, operation, query }: Props) {
  const [filled, setFilled] = useState<Filled>(() => exampleOf(operation, recentProjects()[0]));
  const heading = useRef<HTMLHeadingElement>(null);
  const { operationId, method, path, summary, description, parameters = [], requestBody } = operation;
  // After a link of the list, which narrow screens no longer show. A page that was just loaded keeps its focus.
  useEffect(() => {
    if (window.document.activeElement !== window.document.body) heading.current?.focus();
  }, []);
  const type = bodyType(operation);
  return (
    <article className="flex w-full max-w-220 flex-col gap-6 p-4">
      <header className="flex flex-col gap-2">
        <BackToList query={query} />
        <h2 ref={heading} tabIndex={-1} className="text-display font-semibold">
          {summary}
        </h2>
        <p className="flex min-w-0 items-center gap-1">
          <Method name={method} />
          <code className="min-w-0 wrap-anywhere">{path}</code>
          <CopyButton label="Copy path" text={path} />
        </p>
        <div className="flex max-w-180 flex-col gap-2 text-read text-text-2">
          <Paragraphs text={description} />
        </div>
      </header>
      {parameters.length > 0 && (
        <Part title="Parameters">
          <Parameters
            parameters={parameters}
            values={filled.values}
            onChange={(name, value) => setFilled({ ...filled, values: { ...filled.values, [name]: value } })}
          />
        </Part>
      )}
      {requestBody && type !== undefined && (
        <Part title="Body">
          <p className="text-text-2">
            <code>{type}</code>
            {requestBody.required ? ", required" : ", optional"}
          </p>
          <SchemaFields document={document} schema={requestBody.content[type]?.schema ?? {}} />
          {type === "application/json" && (
            <BodyField value={filled.body} onChange={(body) => setFilled({ ...filled, body })} />
          )}
        </Part>
      )}
      <Part title="Request">
        <CodeBlock label="curl" code={curlOf(document, operation, location.origin, filled)} />
        <CodeBlock label="JavaScript" code={javaScriptOf(document, operation, location.origin, filled)} />
        {canSend(operation) && <TryIt key={operationId} operation={operation} filled={filled} />}
      </Part>
      <Part title="Responses">
        <Responses document={document} operation={operation} />
      </Part>
    </article>
  );
}

/** Narrow screens show either the list or an operation. */
function BackToList({ query }: { query: string }) {
  return (
    <Link
      to="/reference"
      search={query === "" ? {} : { query }}
      className="flex w-fit items-center gap-1 py-1 text-accent-text md:hidden"
    >
      <ArrowLeft aria-hidden size={14} />
      All operations
    </Link>
  );
}

function BodyField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  return (
    <Textarea
      aria-label="Body to send"
      spellCheck={false}
      dir="ltr"
      rows={6}
      className="font-mono text-sm!"
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

function Responses({ document, operation }: Pick<Props, "document" | "operation">) {
  return (
    <ul className="flex flex-col gap-1">
      {Object.entries(operation.responses).map(([status, answer]) => (
        <li key={status}>
          <Response document={document} status={status} answer={answerOf(document, answer)} />
        </li>
      ))}
    </ul>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="flex min-w-0 flex-col gap-2">
      <h3 id={id} className="text-title font-semibold">
        {title}
      </h3>
      {children}
    </section>
  );
}

type ResponseProps = { document: OpenApi; status: string; answer: ReturnType<typeof answerOf> };

function Response({ document, status, answer: { description = "", content } }: ResponseProps) {
  const title = (
    <>
      <code className="me-2">{status}</code>
      <span className="font-normal text-text-2">
        <InlineText text={description} />
      </span>
    </>
  );
  const bodies = Object.entries(content ?? {});
  if (bodies.length === 0) return <p className="flex min-h-8 items-center ps-5 font-medium">{title}</p>;
  return (
    <Disclosure title={title} defaultOpen={status.startsWith("2")}>
      {bodies.map(([type, { schema, example }]) => (
        <div key={type} className="flex flex-col gap-2 py-1">
          <SchemaFields document={document} schema={schema} />
          {example !== undefined && (
            <CodeBlock label={`Example, ${type}`} code={JSON.stringify(example, undefined, 2)} />
          )}
        </div>
      ))}
    </Disclosure>
  );
}
