package shop;

import io.sentry.Sentry;

public class Plain {
  public static void main(String[] arguments) {
    Orders.start();
    Sentry.startSession();
    for (String user : Orders.users()) {
      Orders.signIn(user);
      try {
        Orders.place();
      } catch (PaymentException exception) {
        Sentry.captureException(exception);
      }
    }
    Sentry.endSession();
    Orders.finish();
  }
}
