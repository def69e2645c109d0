/** The header `Link` of a page that is not the last one. */
export function nextLink(url: string, cursor: string): string {
  const [path = "", query] = url.split("?", 2);
  const parameters = new URLSearchParams(query);
  parameters.set("cursor", cursor);
  return `<${path}?${parameters.toString()}>; rel="next"`;
}
