import { init } from "@signalbox/reporter";
import { ErrorBoundary, reactErrors } from "@signalbox/reporter/react";
import { Component, useState } from "react";
import { createRoot } from "react-dom/client";

init(SETTINGS);

class OwnBoundary extends Component {
  state = { failed: false };
  static getDerivedStateFromError() {
    return { failed: true };
  }
  render() {
    return this.state.failed ? "failed" : this.props.children;
  }
}

function Fails({ name, message }) {
  const [broken, setBroken] = useState(false);
  if (broken) throw new TypeError(message);
  return <button onClick={() => setBroken(true)}>{name}</button>;
}

function App() {
  return (
    <>
      <button
        onClick={() => {
          throw new TypeError("event handler");
        }}
      >
        handler
      </button>
      <ErrorBoundary fallback={<p>failed</p>}>
        <Fails name="boundary" message="ErrorBoundary of the reporter" />
      </ErrorBoundary>
      <OwnBoundary>
        <Fails name="caught" message="caught by a boundary of the application" />
      </OwnBoundary>
      <Fails name="uncaught" message="uncaught" />
    </>
  );
}

createRoot(document.getElementById("root"), reactErrors()).render(<App />);
