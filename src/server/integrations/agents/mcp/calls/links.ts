import type { Call } from "./call.ts";

/** The address of a page of a project in the web app. */
export const linkTo = ({ context }: Call, projectKey: string, page: string): string =>
  `${context.publicUrl()}/projects/${projectKey}/${page}`;
