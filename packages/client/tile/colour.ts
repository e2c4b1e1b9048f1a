// The colour of a repository or a branch: a hash of its name, so that every surface and every browser agrees. Pure.

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** FNV-1a over the UTF-8 bytes of the name in composed form (two spellings of one letter are one name). */
export function hashName(name: string): number {
  let hash = FNV_OFFSET;
  for (const byte of new TextEncoder().encode(name.normalize("NFC")))
    hash = Math.imul(hash ^ byte, FNV_PRIME);
  return hash >>> 0;
}

/** Degrees on the colour circle. */
export function hueOf(name: string): number {
  return hashName(name) % 360;
}
