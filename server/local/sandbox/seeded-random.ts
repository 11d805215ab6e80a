import { createHash } from 'node:crypto'
import type { Random } from '../../domain/references.ts'

/** The same bytes in every run for the same seed, and never the same twice within one. Never for secrets. */
export function seededRandom(seed: string): Random {
  let counter = 0
  const block = (): Buffer => createHash('sha256').update(`${seed}:${counter++}`).digest()
  return {
    bytes(size) {
      const blocks: Buffer[] = []
      for (let length = 0; length < size; length += 32) blocks.push(block())
      return Buffer.concat(blocks).subarray(0, size)
    },
  }
}
