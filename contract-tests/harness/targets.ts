import { freePort } from '../../server/verification/testing/free-port.ts'
import type { Direction } from './coverage/exchange.ts'
import { listens } from './listen.ts'
import type { Target } from './part.ts'
import {
  passOn,
  startProxy,
  wireRequest,
  type Exchange,
  type Proxy,
  type ProxyOptions,
  type WireReply,
  type WireRequest,
} from './proxy.ts'
import { createUnanswered, type Unanswered } from './unanswered.ts'
import type { ScratchDatabases } from '../../server/verification/testing/scratch-databases.ts'

export type Record = (exchange: Exchange, direction: Direction) => void

/** A target for one part, with recorders around it. */
export interface RecordedTarget<Kind = Target> {
  readonly target: Kind
  /** Requests to the server that got no reply in time. */
  readonly unanswered: Unanswered
  close(): Promise<void>
}

/** A server that already runs. Nothing about it can be changed. */
export type TargetInput = Omit<Target, 'own' | 'directUrl'>

const OK: WireReply = { status: 200, headers: { 'content-length': ['0'] }, body: Buffer.alloc(0) }
const MERCHANT_MS_MAX = 30_000
/** None of our receivers listens there. */
const NOWHERE = 'http://127.0.0.1:9'

/** A gateway of our own on its own database, so that no part sees another's data. */
export async function startOwnTarget(
  databases: ScratchDatabases,
  seed: number,
  given: Record,
): Promise<RecordedTarget> {
  const { startOwnGateway } = await import('./own-gateway.ts')
  const receiverPort = await freePort()
  // The gateway must know its public page address before it has a port; its clock stands where it was started.
  let gatewayUrl = NOWHERE
  let serverTime = (): Date => new Date()
  const clock = { serverTime: () => serverTime() }
  const { record, done } = fetchingRsaKeys(given, async (path) => requestKey(api.url, path))
  const messages = await startMessageRecorder(receiverPort, record, clock)
  const pages = await startProxy({
    ...clock,
    to: NOWHERE,
    onRequest: async (request) => ({ answer: await passOn(new URL(gatewayUrl), request, { resends: true }) }),
    onExchange: (exchange) => record(exchange, 'asked'),
  })
  const gateway = await startOwnGateway({
    connection: await databases.create(),
    seed,
    receiverPort: messages.port,
    env: { PAYMENT_PAGE_BASE_URL: pages.url },
  })
  gatewayUrl = gateway.url
  serverTime = () => gateway.own.now()
  const unanswered = createUnanswered(gateway.url)
  const api = await startApiRecorder(gateway.url, record, { clock, unanswered })
  return {
    unanswered,
    target: {
      ...gateway,
      url: api.url,
      directUrl: gateway.url,
      ...(gateway.receiver && { receiver: { ...gateway.receiver, port: receiverPort } }),
    },
    close: async () => {
      await done()
      for (const each of [api, gateway, pages, messages]) await each.close()
    },
  }
}

/**
 * A running server with recorders in front of it and, where its callbacks come here, in front of the parts' receiver.
 */
export async function startGivenTarget(
  given: TargetInput,
  recordGiven: Record,
  clock: RecorderClock = {},
): Promise<RecordedTarget> {
  const { record, done } = fetchingRsaKeys(recordGiven, async (path) => requestKey(api.url, path))
  const unanswered = createUnanswered(given.url)
  const api = await startApiRecorder(given.url, record, { clock, unanswered })
  const { receiver } = given
  const receiverPort = await freePort()
  const messages = receiver && (await startMessageRecorder(receiverPort, record, clock, receiver.port))
  return {
    unanswered,
    target: {
      ...given,
      url: api.url,
      directUrl: given.url,
      ...(receiver && { receiver: { ...receiver, port: receiverPort } }),
    },
    close: async () => {
      await done()
      await api.close()
      await messages?.close()
    },
  }
}

/** The server's clock, where it is not that of this machine. */
type RecorderClock = Pick<ProxyOptions, 'serverTime'>

interface ApiRecorder {
  readonly clock?: RecorderClock
  readonly unanswered: Unanswered
  readonly onRequest?: ProxyOptions['onRequest']
}

/** A recorder in front of a server. */
export const startApiRecorder = (
  to: string,
  record: Record,
  { clock, unanswered, onRequest = withOrigin() }: ApiRecorder,
): Promise<Proxy> =>
  startProxy({
    ...clock,
    to,
    resends: true,
    timeoutMs: unanswered.limitMs,
    onUnanswered: unanswered.note,
    onRequest,
    onExchange: (exchange) => record(exchange, 'asked'),
  })

const requestKey = (url: string, path: string): Promise<WireReply> => passOn(new URL(url), wireRequest('GET', path, {}))

/** Listens where callbacks and handshakes arrive: the part behind it answers; without one the reply is 200. */
function startMessageRecorder(receiverPort: number, record: Record, clock: RecorderClock, port = 0): Promise<Proxy> {
  return startProxy({
    ...clock,
    to: `http://127.0.0.1:${receiverPort}`,
    port,
    // A merchant's server may be slow on purpose: the gateway decides how long it waits.
    timeoutMs: MERCHANT_MS_MAX,
    onRequest: async (request) => ((await listens(receiverPort)) ? request : { answer: OK }),
    onExchange: (exchange) => record(exchange, 'received'),
  })
}

/** Pages of other sites, one after the other: a shop, a program on the customer's machine, a frame without an origin. */
const ORIGINS = ['https://shop.example', 'http://localhost:3000', 'null', 'http://127.0.0.1:5173']
/** One request in so many. */
const EVERY = 5
/** Forms of these pages are refused when they come from another site. */
const WITH_FORMS = /^\/+(?:pay|sandbox)\b/i

/**
 * Adds `Origin` to every fifth request that has none, as a browser's script would send it: no reply may let a page of
 * another site read it, and what a server does for browsers alone is recorded too.
 */
function withOrigin(): (request: WireRequest) => WireRequest {
  let count = 0
  return (request) => {
    if (request.headers.origin || WITH_FORMS.test(request.path)) return request
    count += 1
    if (count % EVERY !== 0) return request
    const origin = ORIGINS[(count / EVERY) % ORIGINS.length] ?? ''
    return { ...request, headers: { ...request.headers, origin: [origin] } }
  }
}

/** Bound on keys that one run fetches: a server has a few. */
const KEYS_MAX = 20

/**
 * Fetches each RSA key that a message or a redirect names, as merchants do (page "Verifying callbacks"), so that the
 * recording has the key that verifies it.
 */
function fetchingRsaKeys(
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
