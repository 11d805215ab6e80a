import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { startPrism } from '../../contract-tests/parts/mock/prism.ts'
import { receiver } from '../../openapi/operators/simulator/testing/simulated.ts'
import { pythonThirdParty } from '../../openapi/operators/simulator/testing/third-party-clients/install.ts'
import { readContract } from '../../openapi/reading/contract.ts'
import type { RailOrder } from '../actions/ports/rail.ts'
import { present } from '../domain/present.ts'
import { forFile } from '../verification/testing/for-file.ts'
import { freePort } from '../verification/testing/free-port.ts'
import { daraja } from './daraja/daraja.ts'
import { CHECKOUT, COLLECTS, orderOf, payoutOf, PAYS_OUT } from './daraja/testing/daraja-at-test.ts'
import { mtnMomo } from './mtn-momo/mtn-momo.ts'
import { CREDENTIALS, order as ugandan } from './mtn-momo/testing/connected.ts'
import { adapterAt } from './testing/adapter-at.ts'
import { skipReason } from '../verification/testing/skip-reason.ts'

// Third-party servers, written without knowledge of our simulators. daraja-mock implements Daraja as its author
// understands it; Prism replies with the examples of a contract, and rejects requests that do not match it.

const NOW = new Date('2026-03-02T07:30:00Z')
const START_MS_MAX = 30_000
const nobody = (orderId: string, tail = ''): string => `http://127.0.0.1:9/${orderId}/${tail}`

describe('PyPI daraja-mock', async () => {
  const installed = await pythonThirdParty('daraja-mock')
  if ('unavailable' in installed) skipReason(installed.unavailable, 'the Daraja rail against daraja-mock (PyPI)')

  async function atMock() {
    if ('unavailable' in installed) throw new Error(installed.unavailable)
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    const python = join(installed.folder, 'venv/bin/python')
    const server = spawn(python, ['-m', 'daraja_mock', '--port', String(port)], { stdio: 'ignore' })
    onTestFinished(() => void server.kill('SIGKILL'))
    await vi.waitFor(() => fetch(`${url}/health`), { timeout: START_MS_MAX })
    const settings = { ...COLLECTS, ...PAYS_OUT }
    return adapterAt(daraja, { url, settings, currency: 'KES', now: NOW, callbackUrl: nobody })
  }

  test.skipIf('unavailable' in installed)(
    'gives a token and accepts a prompt; its word on another prompt is not believed',
    { timeout: 120_000 },
    async () => {
      const adapter = await atMock()
      expect(await adapter.check({})).toContainEqual({ what: 'credentials', ok: true, detail: 'a token was given' })
      const answer = await adapter.submit(orderOf())
      const externalIds = { MerchantRequestID: expect.any(String), CheckoutRequestID: expect.stringMatching(/^ws_CO_/) }
      expect(answer).toEqual({ answer: 'accepted', externalIds })
      // It answers every query with a success, even for an unknown id.
      expect(
        await adapter.query(orderOf({ externalIds: 'externalIds' in answer ? (answer.externalIds ?? {}) : {} })),
      ).toEqual({
        knows: 'unreachable',
        error: 'M-PESA answered about another prompt',
      })
    },
  )

  test.skipIf('unavailable' in installed)(
    'takes a payout and names another: whether ours arrived stays unknown',
    { timeout: 120_000 },
    async () => {
      const adapter = await atMock()
      const error = 'M-PESA answered about another payout'
      expect(await adapter.submit(payoutOf())).toEqual({ answer: 'unreachable', error })
      expect(await adapter.query(payoutOf())).toMatchObject({ knows: 'unreachable' })
    },
  )
})

const bundleOf = (operator: string): URL => new URL(`../../generated/operators/${operator}.json`, import.meta.url)

/** Every refusal example of an operation in the contract: its status and the example's name. */
const refusalsOf = (operator: string, id: string): [string, string][] =>
  present(
    readContract(bundleOf(operator)).operations.find((operation) => operation.id === id),
    id,
  ).responses.flatMap(({ status, content }) =>
    Number(status) < 400
      ? []
      : content.flatMap(({ examples }) => examples.map(({ name }): [string, string] => [status, name])),
  )

/** Selects Prism's next reply. */
let queried: Readonly<Record<string, string>> = {}
const prefer = (example: string, code = '200'): void => void (queried = { prefer: `code=${code}, example=${example}` })

/** The meaning of a refusal by its status; any other status means an unknown outcome. */
const PROMPT_MEANS: Readonly<Record<string, string>> = {
  400: 'refused',
  401: 'not_sent',
  404: 'not_sent',
  405: 'not_sent',
}
const COLLECTION_MAY_MEAN: Readonly<Record<string, readonly string[]>> = {
  400: ['refused'],
  401: ['not_sent'],
  403: ['not_sent'],
  // The earlier attempt has arrived.
  409: ['accepted'],
  503: ['unreachable'],
}

describe("Prism playing Daraja's contract", async () => {
  const prism = await forFile(startPrism(bundleOf('daraja')))
  const at = (callbackUrl: (orderId: string, tail?: string) => string = nobody) => {
    queried = {}
    const settings = { ...COLLECTS, ...PAYS_OUT, pull: 'yes' }
    return adapterAt(daraja, {
      url: prism.baseUrl,
      settings,
      currency: 'KES',
      now: NOW,
      callbackUrl,
      headers: () => queried,
    })
  }
  const prompted = orderOf({ externalIds: { CheckoutRequestID: CHECKOUT } })

  test('accepts every call of ours', async () => {
    const adapter = at()
    expect((await adapter.check({})).filter(({ ok, what }) => !ok && what !== 'clock' && what !== 'payouts')).toEqual(
      [],
    )
    expect(await adapter.submit(orderOf())).toMatchObject({
      answer: 'accepted',
      externalIds: { CheckoutRequestID: CHECKOUT },
    })
    expect(await adapter.query(prompted)).toEqual({ knows: 'in_progress' })
    expect(await adapter.submit(payoutOf())).toMatchObject({ answer: 'accepted' })
    expect(
      await adapter.query(payoutOf({ externalIds: { OriginatorConversationID: payoutOf().orderId } })),
    ).toMatchObject({
      knows: 'in_progress',
    })
    expect(await adapter.statement?.(new Date(NOW.getTime() - 3_600_000), NOW)).toHaveLength(2)
  })

  test.each([
    ['query_paid', { status: 'COMPLETED' }],
    ['query_cancelled', { status: 'FAILED', code: 'declined' }],
    ['query_unreachable', { status: 'FAILED', code: 'expired' }],
  ])('a prompt with the reply %s', async (example, outcome) => {
    const adapter = at()
    prefer(example)
    expect(await adapter.query(prompted)).toMatchObject({ knows: 'outcome', outcome })
  })

  test.each(refusalsOf('daraja', 'stkPush'))('a prompt that is answered %s %s', async (status, example) => {
    const adapter = at()
    prefer(example, status)
    const means = example === 'token_invalid_400' ? 'not_sent' : (PROMPT_MEANS[status] ?? 'unreachable')
    expect(await adapter.submit(orderOf())).toMatchObject({ answer: means })
  })

  test('its callbacks reach our address, and are read', async () => {
    const merchant = await receiver()
    const adapter = at((orderId, tail) => [merchant.url, orderId, tail].filter(Boolean).join('/'))
    await adapter.submit(orderOf())
    await adapter.submit(payoutOf())
    await vi.waitFor(() => expect(merchant.received.length).toBeGreaterThanOrEqual(3), { timeout: 20_000 })
    const read = merchant.received.map(({ path, body }) => {
      const [, , tail] = path.split('/')
      return adapter.readCallback({ method: 'POST', body: JSON.stringify(body), ...(tail !== undefined && { tail }) })
    })
    // Prism picks one of the contract's examples at random.
    expect(read.map((reading) => String(reading?.mayQuery)).toSorted()).toEqual(['false', 'false', 'true'])
  })
})

/** Prism matches the callback URL header in lower case only. */
async function withPlainHeaders(bundle: URL): Promise<URL> {
  const folder = await mkdtemp(join(tmpdir(), 'malipo-prism-'))
  afterAll(() => rm(folder, { recursive: true, force: true }))
  const path = join(folder, 'contract.json')
  const text = await readFile(bundle, 'utf8')
  await writeFile(
    path,
    text.replaceAll(/\{\$request\.header\.[^}]+\}/g, (expression) => expression.toLowerCase()),
  )
  return pathToFileURL(path)
}

describe("Prism playing MTN's contract", async () => {
  const prism = await forFile(startPrism(await withPlainHeaders(bundleOf('mtn-momo'))))
  const settings = { ...CREDENTIALS, target_environment: 'sandbox' }
  const at = (callbackUrl: (orderId: string, tail?: string) => string = nobody) => {
    queried = {}
    return adapterAt(mtnMomo, {
      url: prism.baseUrl,
      settings,
      currency: 'EUR',
      now: NOW,
      callbackUrl,
      headers: () => queried,
    })
  }
  const european = (changes: Partial<RailOrder> = {}) =>
    ugandan({ account: '46733123499', amount: { amountMinor: 500_000n, currency: 'EUR' }, ...changes })

  test('accepts every call of ours', async () => {
    const adapter = at()
    expect((await adapter.check({ account: '46733123499' })).filter(({ ok, what }) => !ok && what !== 'clock')).toEqual(
      [],
    )
    expect(await adapter.submit(european())).toEqual({ answer: 'accepted' })
    expect(await adapter.query(european())).toMatchObject({ knows: 'in_progress' })
    const payout = european({ type: 'PAYOUT', amount: { amountMinor: 2_000_000n, currency: 'EUR' } })
    expect(await adapter.submit(payout)).toEqual({ answer: 'accepted' })
    expect(await adapter.query(payout)).toMatchObject({ knows: 'in_progress' })
    expect(await adapter.balances()).toHaveLength(2)
    expect(await adapter.holder?.('46733123499')).toMatchObject({ knows: 'active' })
  })

  test.each([
    ['collection_successful', { status: 'COMPLETED' }],
    ['collection_failed_text', { status: 'FAILED' }],
    ['collection_failed_object', { status: 'FAILED' }],
    ['collection_expired', { status: 'FAILED', code: 'expired' }],
  ])('a collection with the reply %s', async (example, outcome) => {
    const adapter = at()
    prefer(example)
    expect(await adapter.query(european())).toMatchObject({ knows: 'outcome', outcome })
  })

  test.each(refusalsOf('mtn-momo', 'requestToPay'))('a collection that is answered %s %s', async (status, example) => {
    const adapter = at()
    prefer(example, status)
    const { answer } = await adapter.submit(european())
    expect(COLLECTION_MAY_MEAN[status] ?? ['refused', 'unreachable']).toContain(answer)
  })

  test('its callbacks reach our address, by PUT and by POST, and are read', async () => {
    const merchant = await receiver()
    const adapter = at((orderId, tail) => `${merchant.url}/${orderId}/${tail}`)
    await adapter.submit(european())
    await vi.waitFor(() => expect(merchant.received).toHaveLength(2), { timeout: 20_000 })
    expect(merchant.received.map(({ method }) => method).toSorted()).toEqual(['POST', 'PUT'])
    for (const { method, path, body } of merchant.received)
      expect(
        adapter.readCallback({
          method: method === 'PUT' ? 'PUT' : 'POST',
          body: JSON.stringify(body),
          tail: present(path.split('/')[2], 'the tail'),
        }),
      ).toMatchObject({ mayQuery: true, orderId: european().orderId })
  })
})
