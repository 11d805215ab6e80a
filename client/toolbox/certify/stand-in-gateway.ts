import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { replyExamples } from '../../../generated/callback-examples.ts'
import { textOf, type Event } from '../events.ts'
import { bytesOf, JSON_TYPE } from '../messages.ts'
import { webhookSignature } from '../sign.ts'
import { UsageError } from '../usage.ts'

const BODY_MAX_BYTES = 64 * 1024
const PAGE_MAX = 100

/** What the shop is told about, and how. */
export interface Script {
  /** Of the collection that the shop starts. */
  readonly internalReference: string
  /** What verify knows: its payload is the reply. */
  readonly outcome?: Event
  /** What the list of events has, oldest first. */
  readonly events?: readonly { readonly webhookId: string; readonly event: Event }[]
  /** Runs when a collection is accepted, before the reply; `lose`: the connection ends without one. */
  readonly onCollection?: (isReplay: boolean) => Promise<'reply' | 'lose'>
}

interface Reply {
  readonly code: number
  readonly data: object
}

/**
 * A small gateway with replies of the contract, whose messages can be lost, late or doubled at will. A sandbox cannot:
 * it delivers what it says, and keeps its own time.
 */
export class StandInGateway {
  readonly #server: Server
  readonly #sign: (webhookId: string, body: Uint8Array) => Record<'webhook_timestamp' | 'webhook_signature', string>
  #script: Script = { internalReference: '' }
  #started = new Map<string, string | undefined>()
  #calls: string[] = []
  /** The number before that of the first event: where the shop begins to read. */
  #eventsAfter: number | undefined

  constructor(webhookSecret: string, now: () => Date) {
    this.#sign = (webhookId, body) => {
      const at = now()
      return {
        webhook_timestamp: String(Math.floor(at.getTime() / 1000)),
        webhook_signature: webhookSignature({ webhookId, at, body }, webhookSecret),
      }
    }
    this.#server = createServer((request, response) => {
      void this.#answer(request, response).catch(() => response.destroy())
    })
  }

  /** @throws UsageError when the address is taken, or not of this machine */
  async open(url: URL): Promise<void> {
    const port = Number(url.port) || 80
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', (error: NodeJS.ErrnoException) =>
        reject(
          new UsageError(
            `certify stands in for Malipo where your shop calls it, and cannot listen on ${url.host} (${error.code}): stop the sandbox, or start your shop with another MALIPO_URL and name it by --gateway`,
          ),
        ),
      )
      this.#server.listen(port, url.hostname.replace(/^\[|\]$/g, ''), resolve)
    })
  }

  readonly close = (): void => {
    this.#server.close()
    this.#server.closeAllConnections()
  }

  /** Forgets everything before: a life begins. */
  begin(script: Script): void {
    this.#script = script
    this.#started = new Map()
    this.#calls = []
    this.#eventsAfter = undefined
  }

  /** Method, path and status of each call of this life. */
  get calls(): readonly string[] {
    return this.#calls
  }

  /** The references of the collections that were started in this life. */
  get started(): readonly string[] {
    return [...this.#started.keys()]
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://gateway')
    const call = `${request.method} ${url.pathname}`
    const reply = this.#refusal(request, url) ?? (await this.#reply(request, url))
    this.#calls.push(`${call} → ${reply === 'lose' ? 'no reply' : reply.code}`)
    if (reply === 'lose') request.socket.destroy()
    else response.writeHead(reply.code, { 'content-type': JSON_TYPE }).end(JSON.stringify(reply))
  }

  #refusal({ headers }: IncomingMessage, { pathname }: URL): Reply | undefined {
    if (headers['x-api-version'] !== '1') return replyExamples.api_version_missing
    if (!headers['public-key'] || (pathname === '/data/events' && !headers['secret-key']))
      return replyExamples.keys_wrong
    return undefined
  }

  async #reply(request: IncomingMessage, { pathname, searchParams }: URL): Promise<Reply | 'lose'> {
    const route = `${request.method} ${pathname.replace(/^\/data\/transaction\/verify\/.*/, '/verify')}`
    if (route === 'POST /collections/initialize') return this.#collect(request)
    if (route === 'GET /data/payment-providers') return replyExamples.providers_mobile_money
    if (route === 'GET /data/events') return this.#listEvents(searchParams)
    const { outcome } = this.#script
    if (route !== 'GET /verify' || !outcome || !pathname.endsWith(`/${textOf(outcome.payload['merchant_reference'])}`))
      return replyExamples.transaction_unknown
    return { ...replyExamples.transaction_collection_completed, data: outcome.payload }
  }

  async #collect(request: IncomingMessage): Promise<Reply | 'lose'> {
    const reference = referenceIn(await bodyOf(request))
    const key = request.headers['idempotency-key']?.toString()
    const isReplay = this.#started.has(reference)
    if (isReplay && (key === undefined || key !== this.#started.get(reference)))
      return replyExamples.merchant_reference_used
    this.#started.set(reference, key)
    if ((await this.#script.onCollection?.(isReplay)) === 'lose') return 'lose'
    const { internalReference } = this.#script
    const data = { ...replyExamples.collection_hosted_accepted.data, internal_reference: internalReference }
    return { ...replyExamples.collection_hosted_accepted, data: { ...data, merchant_reference: reference } }
  }

  /** Numbers begin where the shop reads on: it remembers those of an earlier run, or of a sandbox. */
  #listEvents(query: URLSearchParams): Reply {
    const after = Number(query.get('after') ?? 0)
    this.#eventsAfter ??= after
    const begin = Math.max(after - this.#eventsAfter, 0)
    const limit = Math.min(Number(query.get('limit') ?? PAGE_MAX / 2), PAGE_MAX)
    const events = (this.#script.events ?? []).map(({ webhookId, event }, index) => ({
      number: (this.#eventsAfter ?? 0) + index + 1,
      webhook_id: webhookId,
      ...this.#sign(webhookId, bytesOf(event)),
      body: JSON.stringify(event),
    }))
    return { ...replyExamples.events_none, data: { events: events.slice(begin, begin + limit) } }
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > BODY_MAX_BYTES) break
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function referenceIn(body: string): string {
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null && 'merchant_reference' in value
      ? String(value.merchant_reference)
      : ''
  } catch {
    return ''
  }
}
