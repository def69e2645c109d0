/** What is loaded when the first Markdown text is shown. */
export { markdownHtml } from "../../../shared/markdown/html.ts";
export { tickTask } from "../../../shared/markdown/tasks.ts";
