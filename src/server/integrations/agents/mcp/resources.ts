import { ResourceNotFoundError, ResourceTemplate, type McpServer } from "@modelcontextprotocol/server";
import { describeError } from "../../../answers/errors.ts";
import { parseId } from "../../../answers/validation.ts";
import { MAX_TOKENS } from "../markdown/write-markdown.ts";
import { budgetOf, type Call } from "./calls/call.ts";
import { findErrorGroup, findIssue, findReport } from "./calls/find-objects.ts";
import { ToolError } from "./calls/tool-error.ts";
import { describeGroup } from "./tools/error-groups.ts";
import { describeIssue } from "./tools/issues.ts";
import { describeReport } from "./tools/reports.ts";

type Template = {
  name: string;
  title: string;
  description: string;
  uri: string;
  variable: string;
  read: (call: Call, value: string) => Promise<{ text: string }>;
};

const TEMPLATES: readonly Template[] = [
  {
    name: "issue",
    title: "Issue",
    description: "An issue with its description and comments.",
    uri: "signalbox://issues/{key}",
    variable: "key",
    read: async (call, key) => {
      const { project, item } = await findIssue(call, key);
      return describeIssue(call, project, item);
    },
  },
  {
    name: "error_group",
    title: "Error",
    description: "An error with its stack trace and comments.",
    uri: "signalbox://error-groups/{id}",
    variable: "id",
    read: async (call, id) => {
      const { project, item } = await findErrorGroup(call, parseId(id) ?? 0);
      return describeGroup(call, project, item);
    },
  },
  {
    name: "report",
    title: "Report",
    description: "A report with its comments.",
    uri: "signalbox://reports/{id}",
    variable: "id",
    read: async (call, id) => {
      const { project, item } = await findReport(call, parseId(id) ?? 0);
      return describeReport(call, project, item);
    },
  },
];

const mimeType = "text/markdown";

/** Adds issues, errors and reports as resources, with the text that the matching tool returns at the largest budget. */
export function registerResources(server: McpServer, call: Call): void {
  for (const { name, uri: template, variable, read, title, description } of TEMPLATES)
    server.registerResource(
      name,
      new ResourceTemplate(template, { list: undefined }),
      { title, description, mimeType },
      async (uri, variables) => {
        try {
          const within = { ...call, budget: budgetOf(MAX_TOKENS) };
          const { text } = await read(within, String(variables[variable]));
          return { contents: [{ uri: uri.href, mimeType, text }] };
        } catch (error) {
          if (error instanceof ToolError) throw new ResourceNotFoundError(uri.href, error.message);
          // The SDK would send the message of any other error to the client.
          throw new Error(describeError(error as Error, call.request).message, { cause: error });
        }
      },
    );
}
