import type { Api, Context } from "../../../access/context.ts";

/** `/llms.txt` tells programs where they find what people see on the pages. */
export function llmsTextRoute(api: Api, { publicUrl }: Context) {
  api.get("/llms.txt", { config: { needs: "nothing" } }, (_request, reply) =>
    reply.type("text/markdown; charset=utf-8").send(textWith(publicUrl())),
  );
}

const textWith = (url: string) => `# Signalbox

> A work tracker: issues, error tracking and reports of a software team. Pages and API need a credential: a personal token as
> \`Authorization: Bearer sbx_pat_…\`, which can be limited to areas and projects, or a browser session.

## Pages

With \`.md\` at the end of the path, or with the header \`Accept: text/markdown\`, these pages are Markdown. \`KEY\` is the key of a
project.

- ${url}/projects/KEY/issues/KEY-1.md: an issue with its comments
- ${url}/projects/KEY/errors/ID.md: an error with its stack trace and comments
- ${url}/projects/KEY/reports/ID.md: a report with its comments
- ${url}/projects/KEY/epics/ID.md: an epic with its issues and comments
- ${url}/projects/KEY/sprints/ID.md: a sprint with its issues

## MCP

- ${url}/api/mcp: tools, resources and prompts of the Model Context Protocol, for agents that read and change issues, errors and reports

## API

- [OpenAPI document](${url}/api/openapi.json): every operation, what it requires and examples
- [API reference](${url}/reference): the same for people
- [Search](${url}/api/search?query=WORDS): issues, epics, reports, errors, releases and comments
- [Projects](${url}/api/projects): the projects that the credential can access

## Command line

\`npm install -g ${url}/cli/sbx.tgz\` installs \`sbx\` (Node 20 or newer). It reads the token from \`SIGNALBOX_TOKEN\` and the server from
\`SIGNALBOX_URL\`, prints the API's objects with \`--json\`, and lists its commands with \`sbx help\`.
`;
