// Where the page starts: connects the workspace, keeps the root element in step, mounts the shell.
import "@fontsource-variable/inter/wght.css";
import "@fontsource/jetbrains-mono/400.css";
import "@fontsource/jetbrains-mono/400-italic.css";
import "@fontsource/jetbrains-mono/500.css";
import "@fontsource/jetbrains-mono/600.css";
import "@fontsource/jetbrains-mono/700.css";
import "@fontsource/jetbrains-mono/700-italic.css";
import "./theme/tokens.css";
import "./theme/base.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import { arriveAtLink } from "./dock/arrive.ts";
import { followRemovals } from "./dock/navigate.ts";
import { Fault } from "./fault.tsx";
import { addActions, startKeys } from "./keys/actions.ts";
import { PAGE_ACTIONS } from "./keys/page-actions.ts";
import { startNotify } from "./marks/notify.ts";
import { startTitle } from "./marks/title.ts";
import { openCode } from "./panel/code-open.ts";
import { startInstall } from "./pwa/install.ts";
import { registerWorker } from "./pwa/register.ts";
import { startSeen } from "./store/seen.ts";
import { startWorkspace } from "./store/workspace.ts";
import { openPathsWith } from "./terminal/path-links.ts";
import { startScheme } from "./theme/scheme.ts";
import { startSystemScheme } from "./theme/system-scheme.ts";
import { refuseStrayFiles } from "./tile/file-drop.ts";
import { startVisibleHeight } from "./touch/visible-height.ts";

startWorkspace();
startScheme();
startSystemScheme();
startSeen();
startTitle();
startNotify();
followRemovals();
arriveAtLink();
addActions(PAGE_ACTIONS);
startKeys();
startVisibleHeight();
startInstall();
registerWorker();
refuseStrayFiles();
openPathsWith(openCode);

createRoot(document.querySelector("#root")!).render(
  <StrictMode>
    <Fault>
      <App />
    </Fault>
  </StrictMode>,
);
