// The direction of imports (ARCHITECTURE.md, "Who may import whom") as rules that a machine checks. Reads: what `from`
// names may never import what `to` names.
const packages = "^packages/";
const mains = "^packages/(kaval|padi|web)/main\\.ts$";

/** A package and the only packages of ours that it may import. */
const mayImport = {
  contract: [],
  wire: ["contract"],
  daemon: ["contract", "wire"],
  emulator: [],
  screen: ["contract", "emulator"],
  anyagent: ["contract"],
  "entry-log": ["contract", "anyagent"],
  "integrations/[^/]+": ["contract", "anyagent", "entry-log"],
  "kolu-agents": ["contract", "anyagent", "integrations/[^/]+"],
  transcript: ["contract"],
  picture: ["contract", "screen"],
  kaval: ["contract", "wire", "daemon", "screen"],
  padi: ["contract", "wire", "daemon", "screen", "picture", "anyagent", "kolu-agents", "transcript"],
  mcp: ["contract"],
  web: ["contract", "wire", "daemon"],
  client: ["contract", "emulator", "anyagent", "kolu-agents", "transcript"],
  cli: ["contract", "wire", "daemon", "kolu-agents", "transcript", "kaval", "padi", "web", "mcp"],
};

const direction = Object.entries(mayImport).map(([name, allowed]) => ({
  name: `direction-${name.replaceAll(/\W+/g, "-")}`,
  comment: `${name} may import ${allowed.join(", ") || "nothing of ours"}`,
  severity: "error",
  from: { path: `${packages}${name}/`, pathNot: "\\.test\\.tsx?$" },
  to: { path: packages, pathNot: `${packages}(${[name, ...allowed].join("|")})/` },
}));

/** A heavy third party and the one place that may know it. */
const oneImporter = [
  ["node-pty", "(^|/)node_modules/node-pty/", "^packages/kaval/(pty|shell/drive-shell)\\.ts"],
  ["xterm-page", "(^|/)node_modules/@xterm/xterm/", "^packages/client/terminal/xterm\\.ts"],
  ["xterm-headless", "(^|/)node_modules/@xterm/headless/", "^packages/(screen/|client/painter/engine\\.ts)"],
  ["sqlite", "^(node:)?sqlite$", "^packages/(padi/db/|anyagent/foreign-database\\.ts)"],
  ["xyflow", "(^|/)node_modules/@xyflow/", "^packages/client/canvas/"],
  ["canvas", "(^|/)node_modules/@napi-rs/", "^packages/picture/"],
  ["mcp-sdk", "(^|/)node_modules/@modelcontextprotocol/", "^packages/mcp/"],
  ["themes", "(^|/)node_modules/@electerm/", "^packages/contract/theme-catalogue\\.ts"],
  ["ws", "(^|/)node_modules/ws/", "^packages/(wire|web)/"],
].map(([name, to, from]) => ({
  name: `one-importer-${name}`,
  severity: "error",
  from: { path: packages, pathNot: [from, "\\.test\\.tsx?$"] },
  to: { path: to },
}));

module.exports = {
  forbidden: [
    {
      name: "no-circular",
      comment: "a type-only import costs nothing at run time and may close a circle",
      severity: "error",
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    },
    { name: "no-unresolvable", severity: "error", from: { path: packages }, to: { couldNotResolve: true } },
    ...direction,
    ...oneImporter,
    {
      name: "only-the-registry-lists-agents",
      severity: "error",
      from: {
        path: packages,
        pathNot: [`${packages}integrations/`, `${packages}kolu-agents/`, "\\.test\\.ts$"],
      },
      to: { path: `${packages}integrations/` },
    },
    {
      name: "one-agent-knows-no-other",
      severity: "error",
      from: { path: `${packages}integrations/([^/]+)/` },
      to: { path: `${packages}integrations/`, pathNot: `${packages}integrations/$1/` },
    },
    {
      name: "neutral-stays-neutral",
      comment: "code that the page shares reaches for no Node module",
      severity: "error",
      from: {
        path: `${packages}(contract/|emulator/|transcript/|[^.]*/vocabs?\\.ts)`,
        pathNot: "\\.test\\.ts$",
      },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "mains-are-composed-in-cli",
      severity: "error",
      from: { path: packages, pathNot: [`${packages}cli/`, "\\.test\\.ts$"] },
      to: { path: mains },
    },
  ],
  options: {
    parser: "tsc",
    tsPreCompilationDeps: true,
    doNotFollow: { path: "node_modules" },
    // The built page is in chunks that name each other.
    exclude: { path: "/fixtures/|^packages/client/dist/" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "node", "default"] },
  },
};
