/**
 * mulberry32: small, and the same numbers for the same seed on every machine. A seed must reproduce what it has shown:
 * the sequence may never change.
 * @returns whole numbers from 0 up to 2^32
 */
export function seededWords(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
}

/** The same numbers, from 0 up to 1. */
export function seededFractions(seed: number): () => number {
  const word = seededWords(seed)
  return () => word() / 2 ** 32
}
