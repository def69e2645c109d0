package shop;

class PaymentException extends RuntimeException {
  PaymentException(String message, Throwable cause) {
    super(message, cause);
  }
}
