import type { Socket } from 'node:net'

/** What happens in the moment of a commit, in which its outcome is open. */
export type CommitFault =
  /** PostgreSQL commits, and its answer is held back. */
  | { readonly what: 'reply stalled'; readonly ms: number }
  /** PostgreSQL commits and nobody hears of it. */
  | { readonly what: 'reply cut' }
  /** It never learns that it should. */
  | { readonly what: 'commit cut' }

/** One connection of the gateway to PostgreSQL, by way of the proxy. */
export interface Link {
  /** Holds every byte back, both ways. Several may hold it: it goes on when all have let go. */
  hold(): void
  letGo(): void
  /** Resets the connection. */
  cut(): void
  end(): void
}

/** As `pg` sends it: a simple query of its own, its length, its text and a zero. */
const COMMIT = Buffer.from('Q\0\0\0\x0bcommit\0', 'latin1')

/**
 * Passes on what both say until one of them ends.
 * @param faultOfCommit asked for every commit: what happens to it, if anything
 */
export function createLink(
  gateway: Socket,
  postgres: Socket,
  faultOfCommit: () => CommitFault | undefined,
  onEnd: () => void,
): Link {
  let holders = 0

  function end(): void {
    onEnd()
    gateway.destroy()
    // What was sent before the end of a connection is still carried out.
    if (!postgres.writableEnded) postgres.destroy()
  }

  function hold(): void {
    holders += 1
    gateway.pause()
    postgres.pause()
  }

  function letGo(): void {
    holders -= 1
    if (holders > 0 || gateway.destroyed) return
    gateway.resume()
    postgres.resume()
  }

  function cut(): void {
    postgres.destroy()
    gateway.resetAndDestroy()
  }

  function disturb(fault: CommitFault, chunk: Buffer): void {
    if (fault.what === 'commit cut') {
      cut()
    } else if (fault.what === 'reply cut') {
      postgres.end(chunk)
      gateway.resetAndDestroy()
    } else {
      postgres.write(chunk)
      hold()
      setTimeout(letGo, fault.ms)
    }
  }

  gateway
    .setNoDelay(true)
    .on('error', () => undefined)
    .on('close', end)
  postgres.on('error', () => undefined).on('close', end)
  gateway.on('data', (chunk: Buffer) => {
    const fault = chunk.includes(COMMIT) ? faultOfCommit() : undefined
    if (fault) disturb(fault, chunk)
    else postgres.write(chunk)
  })
  postgres.on('data', (chunk: Buffer) => void (gateway.destroyed || gateway.write(chunk)))
  gateway.on('end', () => postgres.end())
  return { hold, letGo, cut, end }
}
