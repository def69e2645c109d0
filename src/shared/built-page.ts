/** A page of the web app, as the build describes it for the server's HTML. */
export type BuiltPage = {
  /** `/projects/$projectKey/issues/$issueKey` */
  path: string;
  /** The module of its code, by its name in the build's manifest. */
  code: string;
  isPublic: boolean;
  /** What it requests first, besides the boot request: for any search, or by search. Undefined if nothing. */
  request?: string | { readonly [search: string]: string };
};
