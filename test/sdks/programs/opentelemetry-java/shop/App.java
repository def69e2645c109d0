package shop;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.logs.Severity;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import java.util.concurrent.TimeUnit;

public class App {
  static class PaymentException extends RuntimeException {
    PaymentException(String message, Throwable cause) {
      super(message, cause);
    }
  }

  static void place() {
    throw new PaymentException("the card was declined", new IllegalStateException("amount is not a number"));
  }

  private static String canary(String name) {
    return System.getenv("CANARY_" + name);
  }

  /** What applications and instrumentations add to spans and log records. */
  private static Attributes attributesOf(String user) {
    return Attributes.builder()
        .put("enduser.id", user)
        .put("user.email", canary("EMAIL"))
        .put("user.name", canary("NAME"))
        .put("client.address", canary("IP"))
        .put("url.full", "https://shop.example.com/orders/17?email=" + canary("QUERY"))
        .put("http.route", "/orders/{id}")
        .put("http.request.method", "POST")
        .put("http.response.status_code", 500)
        .put(AttributeKey.stringArrayKey("http.request.header.cookie"), "sid=" + canary("COOKIE"))
        .put(AttributeKey.stringArrayKey("http.request.header.authorization"), "Bearer " + canary("AUTHORIZATION"))
        .put(AttributeKey.stringArrayKey("http.request.header.x-customer"), canary("HEADER"))
        .put("http.request.body.content", canary("BODY"))
        .build();
  }

  private static void inSpan(Tracer tracer, String name, String user, Runnable work) {
    Span span = tracer.spanBuilder(name).setAllAttributes(attributesOf(user)).startSpan();
    try (Scope scope = span.makeCurrent()) {
      work.run();
    } catch (RuntimeException exception) {
      span.recordException(exception);
      throw exception;
    } finally {
      span.end();
    }
  }

  public static void main(String[] arguments) {
    // Everything else is in the environment.
    OpenTelemetrySdk sdk = AutoConfiguredOpenTelemetrySdk.initialize().getOpenTelemetrySdk();
    Tracer tracer = sdk.getTracer("shop");
    for (String user : canary("USERS").split(",")) {
      inSpan(tracer, "request", user, () -> {
        try {
          inSpan(tracer, "POST /orders/{id}", user, () -> inSpan(tracer, "place order", user, App::place));
        } catch (PaymentException exception) {
          sdk.getLogsBridge().get("shop").logRecordBuilder()
              .setSeverity(Severity.ERROR)
              .setBody("the order of " + canary("EMAIL") + " failed")
              .setException(exception)
              .setAllAttributes(attributesOf(user))
              .emit();
        }
      });
    }
    boolean isFlushed = sdk.shutdown().join(10, TimeUnit.SECONDS).isSuccess();
    System.out.println(isFlushed ? "flushed" : "not flushed");
    System.exit(0);
  }
}
