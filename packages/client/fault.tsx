// A bug of the page shows its own words and a way on, never a white page. Terminals are not touched by it.
import { Component, type ErrorInfo, type ReactNode } from "react";

interface State {
  error: Error | null;
}

export class Fault extends Component<{ children: ReactNode }, State> {
  override state: State = { error: null };

  static getDerivedStateFromError(error: unknown): State {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override componentDidCatch(error: unknown, info: ErrorInfo): void {
    console.error("The page failed.", error, info.componentStack);
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return (
      <main className="fault" role="alert">
        <h1>The page failed. Your terminals go on running.</h1>
        <pre>{error.stack ?? error.message}</pre>
        <button type="button" className="big-button" onClick={() => location.reload()}>
          Reload the page
        </button>
      </main>
    );
  }
}
