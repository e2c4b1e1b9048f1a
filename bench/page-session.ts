// Opens the printed link as a browser would and keeps the cookie: a target for the page's sockets.

export interface PageTarget {
  /** `ws://host:port` */
  url: string;
  headers: Record<string, string>;
}

export async function openSession(link: string): Promise<PageTarget> {
  const answer = await fetch(link, { redirect: "manual" });
  const cookie = answer.headers.getSetCookie()[0]?.split(";")[0];
  if (!cookie) throw new Error(`${new URL(link).origin} gave no cookie (status ${answer.status})`);
  const { origin } = new URL(link);
  return { url: origin.replace(/^http/, "ws"), headers: { cookie, origin } };
}
