export type Target = { url: string; project: string; token: string };

export type Snippet = { name: string; code: string };

/** How apps in several languages send an error: with the reporter where it exists, otherwise by plain HTTP. */
export function snippets(target: Target): Snippet[] {
  const { url, project, token } = target;
  const endpoint = `${url}/api/projects/${project}/error-events`;
  return [
    { name: "curl", code: curl(endpoint, token) },
    { name: "Node.js", code: node(target) },
    { name: "Browser", code: browser(target) },
    { name: "PHP", code: php(endpoint, token) },
    { name: "Python", code: python(endpoint, token) },
    { name: "Ruby", code: ruby(endpoint, token) },
    { name: "Java", code: java(endpoint, token) },
    { name: "Go", code: go(endpoint, token) },
    { name: ".NET", code: dotnet(endpoint, token) },
  ];
}

const curl = (endpoint: string, token: string) => `curl -i ${endpoint} \\
  -H "Authorization: Bearer ${token}" \\
  -H "Content-Type: application/json" \\
  -d '{"environment":"production","exception_class":"PaymentFailed",
       "message":"Card declined","release":"1.0.0",
       "stack_trace":"#0 /srv/shop/src/Checkout.php(12): Checkout->pay()"}'`;

const node = ({ url, project, token }: Target) => `// npm install @signalbox/reporter
import { init } from "@signalbox/reporter";

init({ url: "${url}", project: "${project}", token: "${token}" });`;

const browser = ({ url, project, token }: Target) => `// npm install @signalbox/reporter
// Anyone who opens the page can read this token: use one that belongs to this project only.
import { init } from "@signalbox/reporter/browser";

init({ url: "${url}", project: "${project}", token: "${token}" });`;

const php = (endpoint: string, token: string) => `set_exception_handler(function (Throwable $error) {
    $body = json_encode([
        "environment" => "production",
        "exception_class" => $error::class,
        "message" => $error->getMessage(),
        "stack_trace" => $error->getTraceAsString(),
    ], JSON_INVALID_UTF8_SUBSTITUTE);
    file_get_contents("${endpoint}", false, stream_context_create(["http" => [
        "method" => "POST",
        "timeout" => 2,
        "header" => "Authorization: Bearer ${token}\\r\\nContent-Type: application/json",
        "content" => $body,
    ]]));
});`;

const python = (endpoint: string, token: string) => `import json, sys, traceback, urllib.request

def report(kind, error, trace):
    body = {"environment": "production", "exception_class": kind.__name__, "message": str(error),
            "stack_trace": "".join(traceback.format_tb(trace))}
    request = urllib.request.Request("${endpoint}", json.dumps(body).encode(), {
        "Authorization": "Bearer ${token}", "Content-Type": "application/json"})
    urllib.request.urlopen(request, timeout=2)

sys.excepthook = report`;

const ruby = (endpoint: string, token: string) => `require "json"
require "net/http"

at_exit do
  next unless (error = $!)
  Net::HTTP.post(URI("${endpoint}"), JSON.generate(
    environment: "production", exception_class: error.class.name, message: error.message,
    stack_trace: (error.backtrace || []).join("\\n")
  ), "Authorization" => "Bearer ${token}", "Content-Type" => "application/json")
end`;

const java = (
  endpoint: string,
  token: string,
) => `// With any JSON library: quote() stands for its string writer.
Thread.setDefaultUncaughtExceptionHandler((thread, error) -> {
  var trace = new java.io.StringWriter();
  error.printStackTrace(new java.io.PrintWriter(trace));
  var body = "{\\"environment\\":\\"production\\",\\"exception_class\\":" + quote(error.getClass().getName())
      + ",\\"message\\":" + quote(String.valueOf(error.getMessage()))
      + ",\\"stack_trace\\":" + quote(trace.toString()) + "}";
  var request = HttpRequest.newBuilder(URI.create("${endpoint}"))
      .header("Authorization", "Bearer ${token}").header("Content-Type", "application/json")
      .POST(HttpRequest.BodyPublishers.ofString(body)).build();
  HttpClient.newHttpClient().sendAsync(request, HttpResponse.BodyHandlers.discarding()).join();
});`;

const go = (endpoint: string, token: string) => `func Report(err error) {
	body, _ := json.Marshal(map[string]string{
		"environment": "production", "exception_class": fmt.Sprintf("%T", err),
		"message": err.Error(), "stack_trace": string(debug.Stack()),
	})
	request, _ := http.NewRequest("POST", "${endpoint}", bytes.NewReader(body))
	request.Header.Set("Authorization", "Bearer ${token}")
	request.Header.Set("Content-Type", "application/json")
	if answer, err := http.DefaultClient.Do(request); err == nil {
		answer.Body.Close()
	}
}`;

const dotnet = (endpoint: string, token: string) => `var http = new HttpClient();
http.DefaultRequestHeaders.Authorization = new("Bearer", "${token}");

AppDomain.CurrentDomain.UnhandledException += (_, e) =>
{
    var error = (Exception)e.ExceptionObject;
    http.PostAsJsonAsync("${endpoint}", new
    {
        environment = "production", exception_class = error.GetType().FullName,
        message = error.Message, stack_trace = error.StackTrace ?? "",
    }).Wait(TimeSpan.FromSeconds(2));
};`;
