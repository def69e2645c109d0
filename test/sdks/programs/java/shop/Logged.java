package shop;

import ch.qos.logback.classic.Logger;
import io.sentry.Sentry;
import io.sentry.logback.SentryAppender;
import org.slf4j.LoggerFactory;

public class Logged {
  public static void main(String[] arguments) {
    Orders.start();
    Logger logger = (Logger) LoggerFactory.getLogger("shop");
    logger.setAdditive(false);
    SentryAppender appender = new SentryAppender();
    appender.setContext(logger.getLoggerContext());
    appender.start();
    logger.addAppender(appender);
    for (String user : Orders.users()) {
      // In a request: otherwise the next event would contain this message among its breadcrumbs.
      Sentry.withIsolationScope(scope -> fail(logger, user));
    }
    Orders.finish();
  }

  private static void fail(Logger logger, String user) {
    Orders.signIn(user);
    Sentry.configureScope(scope -> scope.setRequest(Orders.request()));
    try {
      Orders.place();
    } catch (PaymentException exception) {
      logger.error("Order {} of {} failed", 17, user, exception);
    }
  }
}
