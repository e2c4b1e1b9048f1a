// What may stand after `--host`. Pure.
import { UsageError } from "../exit.ts";

/**
 * `host`, `user@host` or an alias of ssh_config. A word that ssh could take for one of its own flags (`-oProxyCommand=...`),
 * or that a ProxyCommand of the user's would hand to a shell, is no host.
 */
const HOST = /^(?:[A-Za-z0-9_][A-Za-z0-9_.+-]*@)?[A-Za-z0-9_:][A-Za-z0-9_.:%-]*$/;
const HOST_MAX_CHARS = 255;

/** The word as it is. Throws UsageError. */
export function readHostName(word: string): string {
  if (HOST.test(word) && word.length <= HOST_MAX_CHARS) return word;
  throw new UsageError(
    `--host ${JSON.stringify(word)} is no host: give host, user@host, or a Host of your ssh configuration. A port or a key belongs there too.`,
  );
}
