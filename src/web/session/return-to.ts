/** Where to go after signing in: the given path if it is one of this app, otherwise the start page. */
export function safePath(path: string | undefined): string {
  if (path === undefined || !/^\/(?![/\\])/.test(path)) return "/";
  // oxlint-disable-next-line no-control-regex -- browsers drop some of these, which could leave two slashes
  if (/[\u0000-\u001f\\]/.test(path)) return "/";
  return path.startsWith("/sign-in") || path.startsWith("/api/") ? "/" : path;
}
