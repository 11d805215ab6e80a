import { openPage, submitForm } from '../../../server/verification/testing/page-visit.ts'
import { passOn, startProxy, type WireReply, type WireRequest } from '../../harness/proxy.ts'
import { header, withHeader } from './edit.ts'
import { OK, stateIn } from './rows.ts'
import { requested, collection, keyHeaders, LOOKUPS, payments, payout, withoutKeys } from './sample-requests.ts'
import type { Keys } from './traffic-history.ts'

export interface SampleExchange {
  readonly request: WireRequest
  readonly reply: WireReply
}

/** Traffic around a gateway without any fault, in the order of the replies. */
export interface Traffic {
  readonly api: readonly SampleExchange[]
  /** The first callback and the first handshake with every answer that a merchant may give, the others acknowledged. */
  readonly merchant: readonly SampleExchange[]
}

export interface SampleContext {
  readonly url: string
  readonly keys: Keys
  readonly other: Keys
  /** Time passes, and due jobs run. */
  after(ms: number): Promise<void>
}

const GHANA = { provider_code: 'airtel_gh', currency: 'GHS', amount: 50, number: '233262000123' }
const HOSTED = {
  provider_code: 'mtn_ug',
  number: '256772000123',
  mobile_money_hpp: true,
  redirect_url: 'http://127.0.0.1:9/back?b=2+1&a=%2B',
}

/** Two merchants send every sample request. @param messages to the merchants, collected meanwhile */
export async function sampleTraffic(
  { url, keys, other, after }: SampleContext,
  messages: readonly WireRequest[],
): Promise<Traffic> {
  const api: SampleExchange[] = []
  const send = async (request: WireRequest): Promise<WireReply> => {
    const reply = await passOn(new URL(url), request)
    api.push({ request, reply })
    return reply
  }
  const sendRequest = (who: Keys, what: Parameters<typeof requested>[1]): Promise<WireReply> =>
    send(requested(who, what))
  for (const one of LOOKUPS) await sendRequest(keys, one)
  for (const one of LOOKUPS) await sendRequest(other, one)
  await requestForKey(sendRequest, keys)
  for (const one of withoutKeys(keys)) await sendRequest(keys, one)
  for (const one of payments()) await sendRequest(keys, one)
  await requestAsTwo(sendRequest, keys, other, after)
  const pages = await openPages(url, sendRequest, [keys, other])
  await after(1_000)
  await after(60_000)
  for (const path of pages) await sendRequest(keys, { path })
  for (const { request, reply } of [...api].filter((each) => each.reply.status === 202)) {
    const reference = stateIn(reply)['merchant_reference']
    for (const who of [keys, other])
      if (request.headers['public-key']?.[0] === who.publicKey || String(reference).endsWith('1'))
        await sendRequest(who, { path: `/data/transaction/verify/${String(reference)}` })
  }
  await sendRequest(keys, { path: '/data/transaction/verify/order-mixed-1' })
  await sendRequest(keys, { path: '/data/transaction/verify/SAMPLE-00001' })
  const first = [messages.find(({ method }) => method === 'POST'), messages.find(({ method }) => method === 'GET')]
  return {
    api,
    merchant: messages.flatMap((request) => (first.includes(request) ? answers(request) : [{ request, reply: OK }])),
  }
}

type SendSample = (who: Keys, what: Parameters<typeof requested>[1]) => Promise<WireReply>

async function requestForKey(request: SendSample, keys: Keys): Promise<void> {
  const headers = { 'public-key': undefined, 'secret-key': undefined }
  const current = await request(keys, { path: '/.well-known/malipo-rsa.pem', headers })
  const id = header(current, 'rsa-key-id') ?? ''
  for (const name of [id, id.toUpperCase()])
    await request(keys, { path: `/.well-known/malipo-rsa/${name}.pem`, headers })
}

/** The same references, keys and OTPs by both, and keys of one with those of the other. */
async function requestAsTwo(
  request: SendSample,
  keys: Keys,
  other: Keys,
  after: SampleContext['after'],
): Promise<void> {
  const shared = {
    ...collection({ customer_name: 'Amina', provider_code: 'airtel_tz', currency: 'TZS', number: '255682000123' }),
    headers: { 'idempotency-key': 'shared' },
  }
  for (const who of [keys, other]) await request(who, shared)
  await request(keys, { ...payout({ number: '256772000123' }), headers: { 'idempotency-key': 'shared' } })
  await request(keys, shared)
  await request(other, collection({ provider_code: 'airtel_tz', currency: 'TZS', number: '255682000123' }))
  await request(other, payout({ number: '256772000123' }))
  const waiting = await request(keys, collection(GHANA))
  await after(0)
  const { internal_reference } = stateIn(waiting)
  const path = `/data/transaction/verify/${String(stateIn(waiting)['merchant_reference'])}`
  await request(keys, { path })
  await request(keys, { path: `/data/transaction/verify/${String(internal_reference)}` })
  for (const [who, otp] of [
    [other, 123_456],
    [keys, 1234],
    [keys, 12_345_678],
    [keys, 123_456],
    [keys, 123_456],
  ] as const)
    await request(who, { method: 'POST', path: '/collections/authorize', body: { internal_reference, otp } })
  // A payment that still waits when a fault affects it.
  const still = stateIn(await request(keys, collection(GHANA)))
  const body = { internal_reference: still['internal_reference'], otp: 123_456 }
  await request(other, { method: 'POST', path: '/collections/authorize', body })
  const unknown = 'MLPZ3PTH71TPWQEC220581Y7W'
  await request(keys, {
    method: 'POST',
    path: '/collections/authorize',
    body: { internal_reference: unknown, otp: 1234 },
  })
  const mixed = { ...keyHeaders(keys), 'secret-key': other.secretKey }
  await request(keys, { path: '/data/wallet-balances', headers: mixed })
}

/** Opens a page for each, and cancels one more. @returns paths of the pages */
async function openPages(url: string, request: SendSample, merchants: readonly Keys[]): Promise<readonly string[]> {
  const paths: string[] = []
  for (const who of merchants)
    for (const form of ['confirm', 'cancel']) {
      const { payment_url } = stateIn(await request(who, collection(HOSTED)))
      const visit = await openPage(url, String(payment_url))
      await request(who, { path: visit.path })
      await submitForm(url, visit, form)
      paths.push(visit.path)
    }
  return paths
}

const STATUSES = [200, 201, 204, 400, 404, 408, 410, 500]
function answers(request: WireRequest): readonly SampleExchange[] {
  const later = ['120', '4000', 'Sun, 01 Mar 2026 09:00:00 GMT'].map((value) =>
    withHeader({ ...OK, status: 503 }, 'retry-after', value),
  )
  const all: readonly WireReply[] = [
    ...STATUSES.map((status) => ({ ...OK, status })),
    ...later,
    withHeader({ ...OK, status: 429 }, 'retry-after', '1'),
    withHeader({ ...OK, status: 302 }, 'location', '/elsewhere'),
    ...Array.from({ length: 10 }, () => ({ ...OK, status: 500 })),
  ]
  return all.map((reply) => ({ request, reply }))
}

/** A merchant's server that records messages and acknowledges them. */
export async function startSampleReceiver() {
  const messages: WireRequest[] = []
  const proxy = await startProxy({
    to: 'http://127.0.0.1:9',
    onRequest: (message) => {
      messages.push(message)
      return { answer: OK }
    },
  })
  return { messages, url: proxy.url, close: () => proxy.close() }
}
