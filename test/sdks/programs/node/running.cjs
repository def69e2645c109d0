/** Waits until the server has the monitor's newest check-in as running. */
exports.waitUntilRunning = async () => {
  const { url, token } = JSON.parse(process.env.MONITOR);
  for (;;) {
    const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
    const { data = [] } = await response.json();
    if (data[0]?.status === "in_progress") return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};
