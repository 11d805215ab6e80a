import type { Direction } from './coverage/exchange.ts'
import type { Exchange } from './proxy.ts'

type Record = (exchange: Exchange, direction: Direction) => void

/** Bound on keys that one run fetches: a server has a few. */
const KEYS_MAX = 20

/**
 * Fetches each RSA key that a message or a redirect names, as merchants do (page "Verifying callbacks"), so that the
 * recording has the key that verifies it.
 */
export function fetchingRsaKeys(
  given: Record,
  fetchKey: (path: string) => Promise<unknown>,
): { readonly record: Record; readonly done: () => Promise<unknown> } {
  const fetched = new Map<string, Promise<unknown>>()
  const record: Record = (exchange, direction) => {
    given(exchange, direction)
    const { request, reply } = exchange
    const [id] =
      (direction === 'received'
        ? request.headers['rsa-key-id']
        : /[?&]rsa_key_id=([0-9a-f]{16})(?:&|$)/.exec(reply.headers.location?.[0] ?? '')?.slice(1)) ?? []
    if (id === undefined || !/^[0-9a-f]{16}$/.test(id) || fetched.has(id) || fetched.size >= KEYS_MAX) return
    // Without a key the signatures are not judged; why there is none is for the rule to say.
    fetched.set(
      id,
      fetchKey(`/.well-known/malipo-rsa/${id}.pem`).catch(() => undefined),
    )
  }
  return { record, done: () => Promise.all(fetched.values()) }
}
