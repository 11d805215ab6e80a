import type { Socket } from 'node:net'

/** A fault at the moment of a commit, while its outcome is unknown. */
export type CommitFault =
  /** PostgreSQL commits, and its reply is delayed. */
  | { readonly what: 'reply stalled'; readonly ms: number }
  /** PostgreSQL commits, and its reply is lost. */
  | { readonly what: 'reply cut' }
  /** The COMMIT never reaches PostgreSQL. */
  | { readonly what: 'commit cut' }

/** One connection of the gateway to PostgreSQL, through the proxy. */
export interface Link {
  /** Holds every byte back, both ways. Several callers may hold it: it continues when all have released it. */
  hold(): void
  letGo(): void
  /** Resets the connection. */
  cut(): void
  end(): void
}

/** As `pg` sends it: a simple query with its length, its text and a zero byte. */
const COMMIT = Buffer.from('Q\0\0\0\x0bcommit\0', 'latin1')

/**
 * Forwards both directions until one side ends.
 * @param faultOfCommit called for every commit: returns the fault to inject, if any
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
    // The server still carries out what was sent before the connection ended.
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
