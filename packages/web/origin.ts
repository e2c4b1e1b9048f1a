// Which Host and Origin are ours. Pure. A page of any other site, and of any other port of this machine, is foreign:
// the browser would carry our cookie for it (cookies ignore ports), so the origin is compared whole.
import { X509Certificate } from "node:crypto";
import { isIP } from "node:net";

export interface OwnNames {
  /** Host names that reach this server, lower case, without port; IPv6 without brackets. "*.x.y" stands for one label. */
  hosts: ReadonlySet<string>;
  port: number;
  /** Whether this server itself speaks TLS. */
  tls: boolean;
  /** The authority under which a proxy publishes us over https ("kolu.example.org", "box:8443"), or null. */
  proxyAuthority: string | null;
}

export function isLoopback(address: string): boolean {
  return address === "localhost" || address === "::1" || (isIP(address) === 4 && address.startsWith("127."));
}

const LOOPBACK_HOSTS = ["127.0.0.1", "localhost", "::1"];

/**
 * The names that a bind address answers to. A wildcard bind is reached by any address of this machine (`localAddresses`)
 * and by what its certificate names; never by a name that somebody else's DNS points here.
 */
export function hostsOf(options: {
  bind: string;
  localAddresses: readonly string[];
  hostname: string;
  certificateNames: readonly string[];
}): Set<string> {
  const { bind } = options;
  const hosts = new Set<string>([...LOOPBACK_HOSTS, bind, ...options.certificateNames]);
  if (bind === "0.0.0.0" || bind === "::") {
    hosts.delete(bind);
    for (const address of options.localAddresses) hosts.add(address);
    hosts.add(options.hostname);
  }
  return new Set([...hosts].map((host) => host.toLowerCase()));
}

/** DNS names and addresses that a certificate vouches for. */
export function certificateNames(pem: string | Buffer): string[] {
  const names = new X509Certificate(pem).subjectAltName ?? "";
  return [...names.matchAll(/(?:DNS|IP Address):([^,\s]+)/g)].map((match) => match[1]!.toLowerCase());
}

/** The one origin that a request with this Host may come from, or null when the Host is not ours. */
export function originOf(names: OwnNames, host: string | undefined): string | null {
  if (host === undefined) return null;
  if (names.proxyAuthority !== null && sameAuthority(host, names.proxyAuthority, "https:"))
    return `https://${host.toLowerCase()}`;
  const scheme = names.tls ? "https:" : "http:";
  const parsed = parseAuthority(host, scheme);
  if (!parsed || parsed.port !== names.port || !isOwnHost(names.hosts, parsed.hostname)) return null;
  return `${scheme}//${host.toLowerCase()}`;
}

function isOwnHost(hosts: ReadonlySet<string>, hostname: string): boolean {
  return hosts.has(hostname) || hosts.has(hostname.replace(/^[^.]+/, "*"));
}

/** Whether an Origin header is exactly the origin that the Host stands for. A missing one is not: absence is no trust. */
export function isSameOrigin(own: string, origin: string | undefined): boolean {
  if (origin === undefined) return false;
  try {
    const given = new URL(origin);
    // "null" and anything with a path or credentials is no origin that a browser sends for our page.
    return given.origin === new URL(own).origin && given.origin === origin.toLowerCase();
  } catch {
    return false;
  }
}

function sameAuthority(a: string, b: string, scheme: "http:" | "https:"): boolean {
  const left = parseAuthority(a, scheme);
  const right = parseAuthority(b, scheme);
  return !!left && !!right && left.hostname === right.hostname && left.port === right.port;
}

function parseAuthority(
  authority: string,
  scheme: "http:" | "https:",
): { hostname: string; port: number } | null {
  // Only what a Host header may hold: no user, path, space or percent escapes.
  if (!/^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d{1,5})?$/i.test(authority)) return null;
  try {
    const url = new URL(`${scheme}//${authority}`);
    const port = url.port === "" ? (scheme === "https:" ? 443 : 80) : Number(url.port);
    return { hostname: url.hostname.replace(/^\[|\]$/g, "").toLowerCase(), port };
  } catch {
    return null;
  }
}

/** Authority part of a URL for a host name: brackets round IPv6. */
export function authority(host: string, port: number): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}
