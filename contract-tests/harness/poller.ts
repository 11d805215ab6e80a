import { fieldsOf } from './json.ts'
import { jsonBody } from './json-body.ts'
import type { Target } from './part.ts'
import { passOn, type Exchange, type WireReply, type WireRequest } from './proxy.ts'

/** Each list kind is read twice a second: the rules then see a list that is wrong for a second. */
const INTERVAL_MS = 150
/** While parts run beside each other: each list kind is then read at every server within a second. */
const SHARED_INTERVAL_MS = 300
/** One list is read so often in a row: what differs between two equal ones was wrong. */
const IN_A_ROW = 3
const LISTS_MAX = 20
/** Final payments that are verified again after a part, twice each, and pages that are opened again: the last ones. */
const PAYMENTS_MAX = 60
const PAGES_MAX = 20
const TIME_LIMIT_MS = 5_000
/** Parts that count what the server answers, break connections on purpose, or have gateways of their own. */
const UNDISTURBED = new Set(['limits', 'wire', 'arranged'])
const LIST_PATHS = ['/data/payment-providers', '/data/payout-bank-codes', '/data/wallet-balances']
const VERIFY_PATH = /^\/(?:data\/transaction\/verify|collections\/refund|payout\/batches)\//
const FINAL = new Set(['COMPLETED', 'FAILED', 'CANCELLED'])

/** How many parts are polled now. */
let polled = 0

type Polled = Pick<Target, 'url' | 'directUrl' | 'own'>
type Requests = Map<string, WireRequest>

/** Repeats what parts have read, so that the rules see two replies where a part has use for one only. */
export function createPoller() {
  const lists = new Map<string, Requests>(LIST_PATHS.map((path) => [path, new Map()]))
  const payments: Requests = new Map()
  const pages = new Set<string>()
  return {
    record({ request, reply }: Exchange): void {
      const [path = ''] = request.path.split('?')
      const key = `${request.path} ${request.headers['public-key']?.join()}`
      const { data } = fieldsOf(jsonBody(reply.body))
      const { transaction_status, batch_status: status = transaction_status, payment_url: page } = fieldsOf(data)
      if (reply.status === 202 && typeof page === 'string') keep(pages, page, PAGES_MAX)
      if (request.method !== 'GET' || reply.status !== 200) return
      const ofPath = lists.get(path)
      if (ofPath && ofPath.size < LISTS_MAX) ofPath.set(key, request)
      if (!VERIFY_PATH.test(path) || !FINAL.has(String(status))) return
      payments.delete(key)
      payments.set(key, request)
      const [oldest = ''] = payments.keys()
      if (payments.size > PAYMENTS_MAX) payments.delete(oldest)
    },
    /** Polls the target while a part runs, and reads its pages and its payments again when it is done. */
    async during<Result>(part: string, target: Polled, run: () => Promise<Result>): Promise<Result> {
      for (const known of [...lists.values(), payments, pages]) known.clear()
      if (UNDISTURBED.has(part)) return run()
      const to = new URL(target.url)
      const stop = new AbortController()
      const polling = poll(to, [...lists.values()], stop.signal)
      polled += 1
      try {
        return await run()
      } finally {
        polled -= 1
        stop.abort()
        await polling
        for (const page of pages) if (!(await openTwice(to, page, target))) break
        const again = [...payments.values()]
        for (const request of [...again, ...again]) if (!(await answer(to, request))) break
      }
    },
  }
}

function keep(values: Set<string>, value: string, max: number): void {
  values.delete(value)
  values.add(value)
  const [oldest = ''] = values
  if (values.size > max) values.delete(oldest)
}

/** No reply, or 429, ends the polling and nothing else: the part reports what is wrong. */
const answer = (to: URL, request: WireRequest): Promise<WireReply | undefined> =>
  passOn(to, request, { timeoutMs: TIME_LIMIT_MS }).then(
    (reply) => (reply.status === 429 ? undefined : reply),
    () => undefined,
  )

/** One list of each kind after the other, until the part is done. */
async function poll(to: URL, kinds: readonly Requests[], signal: AbortSignal): Promise<void> {
  for (let turn = 0; !signal.aborted; turn += 1) {
    const known = [...(kinds[turn % kinds.length]?.values() ?? [])]
    // The first list again and again, so that a second in which it is wrong is seen; the others in turn.
    const round = Math.floor(turn / kinds.length)
    const request = known[round % 2 === 0 ? 0 : ((round - 1) / 2) % Math.max(known.length, 1)]
    for (let read = 0; request && read < IN_A_ROW && !signal.aborted; read += 1) if (!(await answer(to, request))) break
    await new Promise<void>((resolve) => {
      const end = (): void => {
        clearTimeout(timer)
        signal.removeEventListener('abort', end)
        resolve()
      }
      const timer = setTimeout(end, polled > 1 ? SHARED_INTERVAL_MS : INTERVAL_MS)
      signal.addEventListener('abort', end)
    })
  }
}

/** The page of an ended payment leads away once; then it shows how the payment ended. Only pages of this server. */
async function openTwice(to: URL, page: string, { own, directUrl, url }: Polled): Promise<boolean> {
  const address = URL.parse(page)
  const isHere = own !== undefined || address?.origin === new URL(directUrl ?? url).origin
  if (!address || !isHere) return true
  const headers = { host: [to.host], accept: ['text/html'] }
  const request = { method: 'GET', path: address.pathname, headers, body: Buffer.alloc(0) }
  const first = await answer(to, request)
  const cookie = (first?.headers['set-cookie'] ?? []).map((each) => each.split(';', 1)[0]).join('; ')
  return (
    first !== undefined && (await answer(to, { ...request, headers: { ...headers, cookie: [cookie] } })) !== undefined
  )
}
