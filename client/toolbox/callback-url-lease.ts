import { exchange } from './exchange.ts'

// The callback URLs of the sandbox's demo merchant, and the lease that points them at the inbox for a while. The
// sandbox ends an expired lease: nothing stays changed when this process is killed.

const LEASE_SECONDS = 30
const RENEW_MS = 10_000
const TIMEOUT_MS = 5_000

/** The sandbox's reply about the demo merchant's callback URLs. */
interface CallbackUrls {
  readonly collection: string | undefined
  readonly payout: string | undefined
  readonly inbox: string
}

async function request(
  gateway: URL,
  method: 'GET' | 'POST',
  path: string,
): Promise<Record<string, unknown> | undefined> {
  const url = new URL(`${gateway.pathname.replace(/\/$/, '')}/sandbox/callback-urls${path}`, gateway)
  const reply = await exchange({ method, url, headers: { accept: 'application/json' } }, TIMEOUT_MS)
  if (reply.kind !== 'answered' || reply.status !== 200) return undefined
  try {
    const body: unknown = JSON.parse(reply.body)
    return typeof body === 'object' && body !== null ? { ...body } : undefined
  } catch {
    return undefined
  }
}

/** Absent: the sandbox is away, or too old to report them. */
export async function callbackUrlsOf(gateway: URL): Promise<CallbackUrls | undefined> {
  const body = await request(gateway, 'GET', '')
  if (typeof body?.['inbox_url'] !== 'string') return undefined
  const text = (name: string) => (typeof body[name] === 'string' ? body[name] : undefined)
  return {
    collection: text('collection_callback_url'),
    payout: text('payout_callback_url'),
    inbox: body['inbox_url'],
  }
}

/** Where callbacks go, as a sentence; absent when all go to the inbox. */
export function whereElse({ collection, payout, inbox }: CallbackUrls): string | undefined {
  const reported = (url: string | undefined) => url ?? 'nowhere'
  if (collection?.split('?')[0] === inbox && payout?.split('?')[0] === inbox) return undefined
  if (collection === payout) return `callbacks go to ${reported(collection)}, not to the inbox`
  return `callbacks of collections go to ${reported(collection)}, those of payouts to ${reported(payout)}`
}

/** The lease on the URLs, kept as long as it is renewed. */
export class Lease {
  readonly #gateway: URL
  #renewedAt = -Infinity

  constructor(gateway: URL) {
    this.#gateway = gateway
  }

  /** Acquires or renews the lease. @returns whether the URLs are borrowed */
  async renew(): Promise<boolean> {
    if (performance.now() - this.#renewedAt < RENEW_MS) return true
    const isLent = (await request(this.#gateway, 'POST', `/borrow?seconds=${LEASE_SECONDS}`)) !== undefined
    if (isLent) this.#renewedAt = performance.now()
    return isLent
  }

  /** Call after the sandbox was away: its restart releases the lease. */
  forget(): void {
    this.#renewedAt = -Infinity
  }

  async end(): Promise<void> {
    await request(this.#gateway, 'POST', '/return')
  }
}
