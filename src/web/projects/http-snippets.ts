/** How apps in other languages send an error without a library. */

export const php = (endpoint: string, key: string) => `set_exception_handler(function (Throwable $error) {
    $body = json_encode([
        "environment" => "production",
        "exception_class" => $error::class,
        "message" => $error->getMessage(),
        "stack_trace" => $error->getTraceAsString(),
    ], JSON_INVALID_UTF8_SUBSTITUTE);
    file_get_contents("${endpoint}", false, stream_context_create(["http" => [
        "method" => "POST",
        "timeout" => 2,
        "header" => "Authorization: Bearer ${key}\\r\\nContent-Type: application/json",
        "content" => $body,
    ]]));
});`;

export const python = (endpoint: string, key: string) => `import json, sys, traceback, urllib.request

def report(kind, error, trace):
    body = {"environment": "production", "exception_class": kind.__name__, "message": str(error),
            "stack_trace": "".join(traceback.format_tb(trace))}
    request = urllib.request.Request("${endpoint}", json.dumps(body).encode(), {
        "Authorization": "Bearer ${key}", "Content-Type": "application/json"})
    urllib.request.urlopen(request, timeout=2)

sys.excepthook = report`;

export const ruby = (endpoint: string, key: string) => `require "json"
require "net/http"

at_exit do
  next unless (error = $!)
  Net::HTTP.post(URI("${endpoint}"), JSON.generate(
    environment: "production", exception_class: error.class.name, message: error.message,
    stack_trace: (error.backtrace || []).join("\\n")
  ), "Authorization" => "Bearer ${key}", "Content-Type" => "application/json")
end`;

export const java = (
  endpoint: string,
  key: string,
) => `// With any JSON library: quote() stands for its string writer.
Thread.setDefaultUncaughtExceptionHandler((thread, error) -> {
  var trace = new java.io.StringWriter();
  error.printStackTrace(new java.io.PrintWriter(trace));
  var body = "{\\"environment\\":\\"production\\",\\"exception_class\\":" + quote(error.getClass().getName())
      + ",\\"message\\":" + quote(String.valueOf(error.getMessage()))
      + ",\\"stack_trace\\":" + quote(trace.toString()) + "}";
  var request = HttpRequest.newBuilder(URI.create("${endpoint}"))
      .header("Authorization", "Bearer ${key}").header("Content-Type", "application/json")
      .POST(HttpRequest.BodyPublishers.ofString(body)).build();
  HttpClient.newHttpClient().sendAsync(request, HttpResponse.BodyHandlers.discarding()).join();
});`;

export const go = (endpoint: string, key: string) => `func Report(err error) {
	body, _ := json.Marshal(map[string]string{
		"environment": "production", "exception_class": fmt.Sprintf("%T", err),
		"message": err.Error(), "stack_trace": string(debug.Stack()),
	})
	request, _ := http.NewRequest("POST", "${endpoint}", bytes.NewReader(body))
	request.Header.Set("Authorization", "Bearer ${key}")
	request.Header.Set("Content-Type", "application/json")
	if answer, err := http.DefaultClient.Do(request); err == nil {
		answer.Body.Close()
	}
}`;

export const dotnet = (endpoint: string, key: string) => `var http = new HttpClient();
http.DefaultRequestHeaders.Authorization = new("Bearer", "${key}");

AppDomain.CurrentDomain.UnhandledException += (_, e) =>
{
    var error = (Exception)e.ExceptionObject;
    http.PostAsJsonAsync("${endpoint}", new
    {
        environment = "production", exception_class = error.GetType().FullName,
        message = error.Message, stack_trace = error.StackTrace ?? "",
    }).Wait(TimeSpan.FromSeconds(2));
};`;
