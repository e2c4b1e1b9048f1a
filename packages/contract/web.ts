// What the page and the web server say to each other beside the two relayed sockets.

/**
 * Close codes of relayed sockets (/rpc and /attach/<id>) that the web server itself ends. Any other code comes from
 * padi or kaval and is passed on as it is.
 */
export const WebCloseCode = {
  /** What the socket was relayed to went away under it (as packages/wire closes it). The page redials at once. */
  padiLost: 4503,
  /** No padi could be reached or started; the reason says why. The page redials at its own pace. */
  padiUnavailable: 4502,
} as const;

/** Answers 204 with a good cookie and 401 without one: a browser cannot read the status of a refused WebSocket. */
export const SESSION_PATH = "/session";

/** A header of that answer: the name of the machine, by which a link into the page may name it. */
export const HOST_HEADER = "x-kolu-host";

/** An empty document without an origin, which becomes the HTML that the page hands it: see web/preview.ts. */
export const PREVIEW_PATH = "/preview";
