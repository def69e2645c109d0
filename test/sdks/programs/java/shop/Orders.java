package shop;

import io.sentry.Breadcrumb;
import io.sentry.Sentry;
import io.sentry.protocol.Request;
import io.sentry.protocol.User;
import java.util.Map;

class Orders {
  static void place() {
    try {
      charge();
    } catch (IllegalStateException cause) {
      throw new PaymentException("the card was declined", cause);
    }
  }

  private static void charge() {
    throw new IllegalStateException("amount is not a number");
  }

  static String[] users() {
    return canary("USERS").split(",");
  }

  private static String canary(String name) {
    return System.getenv("CANARY_" + name);
  }

  /** The next error is this person's. */
  static void signIn(String id) {
    User user = new User();
    user.setId(id);
    user.setEmail(canary("EMAIL"));
    user.setUsername(canary("NAME"));
    user.setIpAddress(canary("IP"));
    Sentry.setUser(user);
    // What applications add in all the places that the SDK offers for it.
    String message = canary("NAME") + " (" + canary("EMAIL") + ") signed in from " + canary("IP");
    Breadcrumb breadcrumb = new Breadcrumb(message);
    breadcrumb.setData("headers", headers());
    breadcrumb.setData("url", "https://shop.example.com/orders?email=" + canary("QUERY"));
    Sentry.addBreadcrumb(breadcrumb);
    Sentry.setTag("customer", canary("EMAIL"));
    Sentry.setExtra("authorization", "Bearer " + canary("AUTHORIZATION"));
    Map<String, Object> order = Map.of("customer", canary("EMAIL"), "headers", headers(), "body", canary("BODY"));
    Sentry.configureScope(scope -> scope.setContexts("order", order));
  }

  /** As the SDK's integration with servlets describes a request. */
  static Request request() {
    Request request = new Request();
    request.setMethod("POST");
    request.setUrl("http://127.0.0.1/orders/17");
    request.setQueryString("email=" + canary("QUERY"));
    request.setCookies("sid=" + canary("COOKIE"));
    request.setHeaders(headers());
    request.setData("{\"note\": \"" + canary("BODY") + "\"}");
    request.setEnvs(Map.of("REMOTE_ADDR", canary("IP"), "DATABASE", canary("ENVIRONMENT")));
    return request;
  }

  private static Map<String, String> headers() {
    return Map.of(
        "Cookie", "sid=" + canary("COOKIE"),
        "Authorization", "Bearer " + canary("AUTHORIZATION"),
        "X-Forwarded-For", canary("IP"),
        "X-Customer", canary("HEADER"),
        "Referer", "https://shop.example.com/cart?email=" + canary("QUERY"));
  }

  static void start() {
    Sentry.init(options -> {
      options.setDsn(System.getenv("SENTRY_DSN"));
      options.setRelease("shop@1.4.2");
      options.setEnvironment(System.getenv("PROGRAM"));
      options.setServerName("web-1");
      options.setSendDefaultPii(true);
    });
  }

  /** Flushing returns nothing, but the SDK knows whether it had to drop events. */
  static void finish() {
    Sentry.flush(10_000);
    System.out.println(Sentry.isHealthy() ? "flushed" : "not flushed");
    Sentry.close();
    System.exit(0);
  }
}
