import type { OpenApi } from "../data/openapi.ts";
import { fieldsOf, type Operation, schemaOf } from "./operations.ts";

/** What a request sends besides what its operation declares: parameters by name, and the body as text. */
export type Filled = { values: Record<string, string>; body: string };

const JSON_TYPE = "application/json";
const FORM_TYPE = "multipart/form-data";

/** The examples of the document with a project that exists, and nothing that may be omitted. */
export function exampleOf({ parameters = [], requestBody }: Operation, projectKey?: string): Filled {
  const named = parameters.filter(({ required }) => required);
  const example = requestBody?.content[JSON_TYPE]?.example;
  return {
    values: Object.fromEntries(
      named.map(({ name, example: value }) => [
        name,
        name === "projectId" && projectKey !== undefined ? projectKey : textOf(value),
      ]),
    ),
    body: example === undefined ? "" : JSON.stringify(example, undefined, 2),
  };
}

const textOf = (value: unknown) =>
  typeof value === "string" ? value : value === undefined ? "" : JSON.stringify(value);

/** The path and query string with the given values. A part of the path without a value keeps its name: `{projectId}`. */
export function addressOf({ path, parameters = [] }: Operation, { values }: Filled): string {
  const query = new URLSearchParams();
  for (const { name, in: where } of parameters)
    if (where === "query" && values[name]) query.set(name, values[name]);
  const filled = path.replaceAll(/\{(\w+)\}/g, (whole, name: string) =>
    values[name] ? encodeURIComponent(values[name]) : whole,
  );
  return query.size === 0 ? filled : `${filled}?${query}`;
}

export const headersOf = ({ parameters = [] }: Operation, { values }: Filled): [string, string][] =>
  parameters.flatMap(({ name, in: where }) =>
    where === "header" && values[name] ? [[name, values[name]] as [string, string]] : [],
  );

/** The content type of the body, JSON if there is a choice. */
export function bodyType({ requestBody }: Operation): string | undefined {
  const types = Object.keys(requestBody?.content ?? {});
  return types.includes(JSON_TYPE) ? JSON_TYPE : types[0];
}

/** Whether the page can send it: the session is accepted, the body is JSON, and the response ends. */
export function canSend(operation: Operation): boolean {
  const { security, responses } = operation;
  const type = bodyType(operation);
  const streams = Object.values(responses).some(({ content }) => content?.["text/event-stream"]);
  const takesSession = security.length === 0 || security.some((one) => "session" in one);
  return takesSession && !streams && (type === undefined || type === JSON_TYPE);
}

/** How a request is authenticated: with a token if it accepts any, else with the cookie of a session. */
const credentialOf = ({ security }: Operation) =>
  security.some((one) => "token" in one) ? "token" : security.length > 0 ? "session" : "none";

export function curlOf(document: OpenApi, operation: Operation, origin: string, filled: Filled): string {
  const type = bodyType(operation);
  const credential = credentialOf(operation);
  const headers = headersOf(operation, filled).map(([name, value]) => `${name}: ${value}`);
  if (type !== undefined && type !== FORM_TYPE) headers.push(`Content-Type: ${type}`);
  const parts = [
    ...(operation.method === "GET" ? [] : [`-X ${operation.method}`]),
    ...(credential === "token" ? ['-H "Authorization: Bearer $TOKEN"'] : []),
    ...(credential === "session" ? ['--cookie "signalbox=$SESSION"'] : []),
    ...headers.map((header) => `-H ${quoted(header)}`),
    ...bodyOptions(document, operation, type, filled.body),
    quoted(`${origin}${addressOf(operation, filled)}`),
  ];
  return `curl ${parts.join(" \\\n  ")}`;
}

function bodyOptions(
  document: OpenApi,
  operation: Operation,
  type: string | undefined,
  body: string,
): string[] {
  if (type === undefined) return [];
  if (type === FORM_TYPE)
    return formFields(document, operation).map(
      ({ name, isFile }) => `-F ${name}=${isFile ? "@file" : "text"}`,
    );
  return type === JSON_TYPE ? [`-d ${quoted(compact(body))}`] : ["--data-binary @file"];
}

function formFields(document: OpenApi, { requestBody }: Operation) {
  const { schema = {} } = requestBody?.content[FORM_TYPE] ?? {};
  return fieldsOf(document, schema).map(([name, field]) => {
    const { format, items } = schemaOf(document, field);
    return { name, isFile: format === "binary" || items?.format === "binary" };
  });
}

/** For a POSIX shell, which interprets nothing between single quotes. */
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** JSON on one line; anything else as it is. */
function compact(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body));
  } catch {
    return body;
  }
}

export function javaScriptOf(
  document: OpenApi,
  operation: Operation,
  origin: string,
  filled: Filled,
): string {
  const { method, responses } = operation;
  const type = bodyType(operation);
  const credential = credentialOf(operation);
  const headers = [
    ...(credential === "token" ? ["Authorization: `Bearer ${token}`"] : []),
    ...headersOf(operation, filled).map(
      ([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`,
    ),
    ...(type !== undefined && type !== FORM_TYPE ? [`"Content-Type": ${JSON.stringify(type)}`] : []),
  ];
  const body =
    type === JSON_TYPE
      ? `JSON.stringify(${indented(filled.body || "{}")})`
      : type === FORM_TYPE
        ? "form"
        : "file";
  const options = [
    ...(method === "GET" ? [] : [`method: "${method}"`]),
    ...(credential === "session" ? ['credentials: "include"'] : []),
    ...(headers.length === 0 ? [] : [`headers: {\n${headers.map((one) => `    ${one},\n`).join("")}  }`]),
    ...(type === undefined ? [] : [`body: ${body}`]),
  ];
  const form =
    type === FORM_TYPE
      ? `const form = new FormData();\n${formFields(document, operation)
          .map(({ name, isFile }) => `form.append("${name}", ${isFile ? "file" : '"text"'});\n`)
          .join("")}`
      : "";
  const address = JSON.stringify(`${origin}${addressOf(operation, filled)}`);
  const call =
    options.length === 0 ? address : `${address}, {\n${options.map((one) => `  ${one},\n`).join("")}}`;
  const isJson = Object.entries(responses).some(
    ([status, { content }]) => status.startsWith("2") && content?.[JSON_TYPE],
  );
  return `${form}const response = await fetch(${call});${isJson ? "\nconst data = await response.json();" : ""}`;
}

const indented = (text: string) => text.replaceAll("\n", "\n  ");
