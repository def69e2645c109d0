/** The command with which a pipeline records a deploy. */
export const deployCommand = (origin: string, projectKey: string) =>
  `curl -H "Authorization: Bearer $SIGNALBOX_TOKEN" -H "Content-Type: application/json" \\
  -d '{"version": "4.13.0", "environment": "production", "commit": "9f2c1e7"}' \\
  ${origin}/api/projects/${projectKey}/releases`;
