package shop;

import io.sentry.Sentry;
import io.sentry.protocol.User;

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
    return System.getenv("CANARY_USERS").split(",");
  }

  static void signIn(String id) {
    User user = new User();
    user.setId(id);
    user.setEmail(System.getenv("CANARY_EMAIL"));
    user.setUsername(System.getenv("CANARY_NAME"));
    user.setIpAddress(System.getenv("CANARY_IP"));
    Sentry.setUser(user);
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

  /** Closing waits until everything has been sent. */
  static void finish() {
    Sentry.flush(10_000);
    Sentry.close();
    System.out.println("flushed");
    System.exit(0);
  }
}
