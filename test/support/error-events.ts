/** A valid event; `overrides` replaces fields, `undefined` removes one. */
export function anEvent(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    environment: "production",
    exception_class: "RuntimeException",
    message: "Something broke",
    stack_trace: "#0 /var/www/app/src/Checkout.php(12): Checkout->pay()\n#1 {main}",
    ...overrides,
  };
}

export const TRACES = {
  checkout: "#0 /var/www/app/src/Checkout.php(12): Checkout->pay()\n#1 {main}",
  search: "#0 /var/www/app/src/Search.php(7): Search->run()\n#1 {main}",
};

export const hashOf = (n: number) => n.toString(16).padStart(64, "0");
