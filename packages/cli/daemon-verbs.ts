/** Hidden verbs of `kolu` that become a daemon. */
export const daemonVerbs = { __kaval: "kaval", __padi: "padi" } as const;
export type DaemonName = (typeof daemonVerbs)[keyof typeof daemonVerbs];
