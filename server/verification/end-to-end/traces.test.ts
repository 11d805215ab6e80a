import { randomBytes } from 'node:crypto'
import { Writable } from 'node:stream'
import { pino } from 'pino'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { SIMULATORS, startSimulator } from '../../../openapi/operators/simulator/index.ts'
import { present } from '../../domain/present.ts'
import type { Gateway } from '../../main.ts'
import { sampledByDefault } from '../testing/nightly.ts'
import { createTestDatabase } from '../testing/database.ts'
import { forFile } from '../testing/for-file.ts'
import { DEMO_KEYS, DEMO_MERCHANT, fixedClock, startTestGateway } from '../testing/gateway.ts'
import { installRail } from '../testing/installed-rail.ts'
import { startReceiver } from '../testing/receiver.ts'
import { collect, payOut, uniqueMsisdn, uniqueReference, verify } from '../testing/requests.ts'
import { OWN_RAILS } from '../testing/sandbox-rails.ts'
import { startCollector, type Collector, type ReceivedSpan } from '../../tracing/testing/collector.ts'

// One trace from a merchant's request to its callback: the real gateway, an operator over HTTP, a merchant's server and
// a collector of traces.

const clock = fixedClock()
const { connection } = await forFile(createTestDatabase())
const receiver = await forFile(startReceiver())
const mtn = await forFile(startSimulator(present(SIMULATORS['mtn-momo'], 'the simulator of MTN')({ currency: 'UGX' })))
beforeEach(() => {
  receiver.forget()
  clock.advance(60_000)
})

/** A stopping gateway gives its last spans two seconds, which do not pass here: a busy machine may need more. */
async function stopPatiently(gateway: Gateway): Promise<void> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  await gateway.stop().finally(() => vi.useRealTimers())
}

/** Every gateway of these tests has the same operator and the same merchant. */
async function started(
  env: Readonly<Record<string, string>>,
  { logged = [], stopping = stopPatiently }: { logged?: string[]; stopping?: (gateway: Gateway) => Promise<void> } = {},
): Promise<Gateway> {
  const write = (chunk: Buffer, _encoding: string, done: () => void) => (logged.push(chunk.toString()), done())
  const logger = pino({ level: 'warn' }, new Writable({ write }))
  const gateway = await startTestGateway({ connection, surroundings: { clock, logger }, env: { ...OWN_RAILS, ...env } })
  let stopped: Promise<void> | undefined
  const stop = () => (stopped ??= stopping(gateway))
  onTestFinished(stop)
  return { ...gateway, stop }
}
const first = await startTestGateway({ connection, surroundings: { clock }, env: OWN_RAILS })
await first.pool.query(
  'update merchants set collection_callback_url = $1, payout_callback_url = $1, verification_url = $1',
  [receiver.url],
)
await installRail(first, mtn, {
  name: 'mtn-uganda',
  providers: ['mtn_ug'],
  settings: { target_environment: 'sandbox' },
})
await first.stop()

/**
 * Runs an action with a gateway that traces.
 * @returns all spans, which it exports when it stops
 */
async function spansOf(
  act: (gateway: Gateway) => Promise<void>,
  env: Readonly<Record<string, string>> = {},
): Promise<Collector> {
  const collector = await startCollector()
  onTestFinished(() => collector.close())
  const gateway = await started({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...env })
  await act(gateway)
  await gateway.stop()
  return collector
}

const newParent = (flags = '01') => {
  const [traceId, spanId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')]
  return { traceId, spanId, traceparent: `00-${traceId}-${spanId}-${flags}` }
}
const recordOf = async (gateway: Gateway, reference: string) => (await verify(gateway.url, reference)).body.data
const storedOf = async (gateway: Gateway, reference: string) =>
  (
    await gateway.pool.query<{ traceparent: string | null }>(
      'select traceparent from transactions where merchant_reference = $1',
      [reference],
    )
  ).rows[0]?.traceparent

/** A minute for a busy machine; usually it takes a tenth of a second. */
const WITHIN = { timeout: 60_000, interval: 50 }
/** The customer or MTN approves, MTN reports, and the merchant is notified. */
async function completed(gateway: Gateway, reference: string, msisdn: string): Promise<void> {
  await gateway.runDue()
  mtn.lifecycle.decide(present(mtn.world.orders.of(msisdn)[0], 'the order at the operator'), 'approved')
  await mtn.callbacks.idle()
  await vi.waitFor(async () => {
    await gateway.runDue()
    expect(await recordOf(gateway, reference)).toMatchObject({ transaction_status: 'COMPLETED' })
    expect(receiver.about(reference)).toHaveLength(1)
  }, WITHIN)
}
async function collected(gateway: Gateway, headers: Record<string, string>) {
  const [merchant_reference, msisdn] = [uniqueReference(), uniqueMsisdn()]
  expect(await collect(gateway.url, { merchant_reference, msisdn }, headers)).toMatchObject({ status: 202 })
  await completed(gateway, merchant_reference, msisdn)
  return { reference: merchant_reference, msisdn }
}
async function paidOut(gateway: Gateway, headers: Record<string, string>) {
  const [merchant_reference, account_number] = [uniqueReference(), uniqueMsisdn()]
  expect(await payOut(gateway.url, { merchant_reference, account_number }, { ...DEMO_KEYS, ...headers })).toMatchObject(
    { status: 202 },
  )
  await completed(gateway, merchant_reference, account_number)
  return { reference: merchant_reference, msisdn: account_number }
}

/** A trace as lines: each span by name, indented below its parent, in the order of their start. */
function treeOf(spans: readonly ReceivedSpan[], traceId: string, root: string, depth = 0): readonly string[] {
  return spans
    .filter((span) => span.traceId === traceId && span.parentSpanId === root)
    .flatMap((span) => [`${'  '.repeat(depth)}${span.name}`, ...treeOf(spans, traceId, span.spanId, depth + 1)])
}
/** Nothing that names a customer or opens a door: what a payment brings along is in no span of it. */
function expectNothingSecret({ bodies }: Collector, msisdn: string): void {
  const secrets = [
    msisdn,
    ...Object.values(DEMO_MERCHANT.keys).flat(),
    'Amina',
    'Two coffees',
    'Refund of',
    '/callbacks',
  ]
  expect(secrets.filter((secret) => bodies.some((body) => body.includes(secret)))).toEqual([])
}
/** What the operator received in the calls about an order. */
const operatorGot = (msisdn: string) => {
  const order = present(mtn.world.orders.of(msisdn)[0], 'the order at the operator')
  return mtn.world.exchanges
    .all()
    .filter(({ direction, ...call }) => direction === 'in' && JSON.stringify(call).includes(order.id))
    .map(({ requestHeaders }) => requestHeaders['traceparent'])
}

test("a collection is one trace, from the merchant's span to the callback", async () => {
  const parent = newParent()
  let msisdn = ''
  const collector = await spansOf(async (gateway) => {
    ;({ msisdn } = await collected(gateway, { traceparent: parent.traceparent }))
  })
  expectNothingSecret(collector, msisdn)
  const { spans } = collector
  const tree = treeOf(spans, parent.traceId, parent.spanId)
  expect(tree.slice(0, 3)).toEqual([
    'POST /collections/initialize',
    '  process submitToRail',
    '    POST /collection/v1_0/requesttopay',
  ])
  expect(tree).toEqual(
    expect.arrayContaining([
      '  process readRailCallback',
      '    GET /collection/v1_0/requesttopay/{referenceId}',
      '  process deliverCallback',
      '    POST',
    ]),
  )
  const mine = spans.filter(({ traceId }) => traceId === parent.traceId)
  expect(tree).toHaveLength(mine.length)
  const { attributes, service } = mine.find(({ kind }) => kind === 2)!
  expect(service).toBe('malipo')
  expect(attributes).toEqual({
    'http.request.method': 'POST',
    'http.route': '/collections/initialize',
    'url.path': '/collections/initialize',
    'http.response.status_code': 202,
  })
  expect(mine.find(({ name }) => name.startsWith('POST /collection/'))?.attributes).toMatchObject({
    'server.address': '127.0.0.1',
    'server.port': Number(new URL(mtn.url).port),
    'http.response.status_code': 202,
  })
  // Each receiver continues below the span that sent the request.
  const spanOf = (name: string) => mine.find((span) => span.name === name)?.spanId
  expect(receiver.received.map(({ headers }) => headers['traceparent'])).toEqual([
    `00-${parent.traceId}-${spanOf('POST')}-01`,
  ])
  expect(operatorGot(msisdn)).toContain(`00-${parent.traceId}-${spanOf('POST /collection/v1_0/requesttopay')}-01`)
  expect(operatorGot(msisdn)).not.toContain(undefined)
})

test("a payout is one trace, with the request to the merchant's verification URL", async () => {
  const parent = newParent()
  let msisdn = ''
  const collector = await spansOf(async (gateway) => {
    ;({ msisdn } = await paidOut(gateway, { traceparent: parent.traceparent }))
  })
  expectNothingSecret(collector, msisdn)
  const { spans } = collector
  const tree = treeOf(spans, parent.traceId, parent.spanId)
  expect(tree.slice(0, 6)).toEqual([
    'POST /payout/send-funds',
    '  process verifyPayout',
    '    GET',
    '  process holdFunds',
    '  process submitToRail',
    '    POST /disbursement/v1_0/transfer',
  ])
  expect(tree).toEqual(expect.arrayContaining(['  process deliverCallback', '    POST']))
  const question = present(
    receiver.received.find(({ method }) => method === 'GET'),
    'the question',
  )
  expect(question.headers['traceparent']).toBe(
    `00-${parent.traceId}-${spans.find(({ name }) => name === 'GET')?.spanId}-01`,
  )
})

test('continues the trace of the accepting process; without tracing sends no header', async () => {
  const parent = newParent()
  const [reference, msisdn] = [uniqueReference(), uniqueMsisdn()]
  const requested = { merchant_reference: reference, msisdn }
  await spansOf(async (gateway) => {
    expect(await collect(gateway.url, requested, { traceparent: parent.traceparent })).toMatchObject({ status: 202 })
  })
  const silent = await started({})
  await silent.runDue()
  expect(operatorGot(msisdn)).toEqual([undefined])
  // It is still there: the operator reports to it.
  const { spans } = await spansOf((gateway) => completed(gateway, reference, msisdn))
  expect(spans.filter(({ traceId }) => traceId === parent.traceId).map(({ name }) => name)).toContain(
    'process deliverCallback',
  )
})

test.each(['00-00000000000000000000000000000000-00f067aa0ba902b7-01', 'é'.repeat(4_000)])(
  'a bad traceparent begins a new trace and never fails a request: %s',
  async (traceparent) => {
    const reference = uniqueReference()
    let stored: string | null | undefined
    const { spans } = await spansOf(async (gateway) => {
      expect(await collect(gateway.url, { merchant_reference: reference }, { traceparent })).toMatchObject({
        status: 202,
      })
      stored = await storedOf(gateway, reference)
    })
    expect(spans).toMatchObject([{ name: 'POST /collections/initialize', parentSpanId: undefined }])
    expect(stored).toBe(`00-${spans[0]?.traceId}-${spans[0]?.spanId}-01`)
  },
)

const SAMPLERS = [
  ['parentbased_always_on', '00', 0],
  ['parentbased_always_off', '01', 1],
  ['always_off', '01', 0],
  ['parentbased_traceidratio', '01', 1],
  ['traceidratio', '01', 0],
  ['always_on', '00', 1],
] as const
test.each(sampledByDefault('samplers', SAMPLERS))(
  'by %s a merchant with %s has %i traces, and an unsampled one leaves nothing',
  async (sampler, flags, kept) => {
    const [reference, msisdn] = [uniqueReference(), uniqueMsisdn()]
    let stored: string | null | undefined
    const { spans } = await spansOf(
      async (gateway) => {
        const { traceparent } = newParent(flags)
        expect((await collect(gateway.url, { merchant_reference: reference, msisdn }, { traceparent })).status).toBe(
          202,
        )
        await gateway.runDue()
        stored = await storedOf(gateway, reference)
      },
      { OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: '0' },
    )
    expect(spans.filter(({ kind }) => kind === 2)).toHaveLength(kept)
    expect(stored === null).toBe(kept === 0)
    expect(operatorGot(msisdn)).toEqual([kept === 0 ? undefined : expect.stringContaining(stored!.slice(0, 36))])
  },
)

test.each(['hang', 'away'] as const)('payments go on and the gateway stops when the collector is %s', async (fault) => {
  const collector = await startCollector()
  onTestFinished(() => collector.close())
  if (fault === 'away') await collector.close()
  else collector.answer(fault)
  const stopping = (gateway: Gateway) => gateway.stop()
  const gateway = await started({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }, { stopping })
  await collected(gateway, {})
  await gateway.stop()
  expect(collector.spans).toEqual([])
})

test('logs a collector that refuses traces', async () => {
  const collector = await startCollector()
  onTestFinished(() => collector.close())
  collector.answer(400)
  const logged: string[] = []
  const gateway = await started({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }, { logged })
  await collected(gateway, {})
  await gateway.stop()
  expect(logged.join('')).toContain('traces could not be delivered and are lost')
})
