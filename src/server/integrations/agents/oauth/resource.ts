/** The path of the MCP server, which is a resource of its own for clients. */
export const MCP_PATH = "/api/mcp";

/** Whether a token for this server is meant (RFC 8707): the API as a whole, or its MCP server. */
export function isResource(resource: string, publicUrl: string): boolean {
  return URL.canParse(resource) && [publicUrl, `${publicUrl}${MCP_PATH}`].includes(resourceOf(resource));
}

/** Clients write the address with and without a slash at the end. */
export const resourceOf = (resource: string): string => new URL(resource).href.replace(/\/$/, "");
