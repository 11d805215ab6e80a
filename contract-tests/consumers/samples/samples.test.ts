import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import {
  collect,
  mobileMoneyPayout,
  payOut,
  postJson,
  uniqueMsisdn,
} from '../../../server/verification/testing/requests.ts'
import { bundleUrl, readContract } from '../../../openapi/reading/contract.ts'
import { pathValues } from '../../../openapi/reading/wire.ts'
import type { Fields } from '../../harness/json.ts'
import { present } from '../../harness/part.ts'
import { startProxy, type Exchange } from '../../harness/proxy.ts'
import type { Json } from '../../../openapi/reading/json.ts'
import { COMPILING_MS_MAX, LANGUAGES } from './run-sample.ts'
import { samplesIn } from './samples.ts'
import { ownGatewayTest } from '../../harness/testing/own-gateway-test.ts'
import { DEMO_KEYS } from '../../../server/verification/testing/gateway.ts'
import { forFile } from '../../../server/verification/testing/for-file.ts'
import { isNightly, sampledByDefault } from '../../../server/verification/testing/nightly.ts'
import { skipReason } from '../../../server/verification/testing/skip-reason.ts'

/** Placeholders of the samples in place of the reader's own values. */
const SHOWN = {
  url: 'http://127.0.0.1:8080',
  internalReference: 'MLPSVQSA9PFZYCMK46KMQQBKS',
  /** References of the transaction that is verified. */
  merchantReference: 'ORDER-2026-0001',
  /** Of the payout that is cancelled. */
  payoutReference: 'PAYOUT-2026-0001',
  batchReference: 'SALARIES-2026-03',
  refundReference: 'REFUND-2026-0001',
}
const CUSTOMER_MS = 5_000
/** Their own error messages for an unreachable gateway are good enough. */
const SAYS_BY_ITSELF = ['curl', 'Go']
const declared = readContract(bundleUrl)
const OPERATIONS = declared.operations.filter(({ kind }) => kind === 'operation').map(({ id }) => id)

/**
 * Known output of a sample. A list prints the fields of each item that its operation shows; any other without an entry
 * prints something of the reply's data.
 */
const PRINTED: Readonly<Record<string, RegExp>> = {
  initializeCollection: /^accepted, not yet paid: MLP[0-9A-Z]{22}$/m,
  verifyTransaction: /^credited 4950 UGX$/m,
  authorizeCollection: /^authorized MLP[0-9A-Z]{22}$/m,
  sendFunds: /^accepted, not yet paid: MLP[0-9A-Z]{22}$/m,
  expectPayment: /^to be typed by the customer: .*[2-9CFGHJMPQRVWX]{8}/m,
  refundCollection: /^accepted, not yet refunded: MLP[0-9A-Z]{22}$/m,
}

/** Instructions for the samples of lists, by operation. */
const LISTS = new Map(declared.operations.flatMap(({ id, client }) => (client?.shows ? [[id, client] as const] : [])))

const contract = JSON.parse(readFileSync(bundleUrl, 'utf8')) as Json
const samples = samplesIn(contract)

test('every operation has a sample in each language', () => {
  const shown = (label: string) =>
    samples
      .filter((sample) => sample.label === label)
      .map(({ operationId }) => operationId)
      .toSorted()
  for (const { label } of LANGUAGES) expect(shown(label), label).toEqual(OPERATIONS.toSorted())
  expect(samples).toHaveLength(LANGUAGES.length * OPERATIONS.length)
})

for (const { label, missing } of LANGUAGES)
  if (missing !== undefined) skipReason(`no ${missing} is installed`, `the samples in ${label}`)

// Each language has its own gateway, so that the transaction that the docs name can exist there.
describe.each(LANGUAGES)('$label', async ({ label, prepare, isCompiled, printsReplies, missing }) => {
  if (missing !== undefined) return test.skip(`needs ${missing}`)
  const exchanges: Exchange[] = []
  let isKnown = true
  let isAway = false
  const { gateway } = await ownGatewayTest()
  const proxy = await forFile(
    startProxy({
      to: gateway.url,
      onRequest(request) {
        if (isAway) throw new Error('hangs up')
        return isKnown ? request : { ...request, headers: { ...request.headers, 'public-key': ['pub_sandbox_nobody'] } }
      },
      onExchange: (exchange) => void exchanges.push(exchange),
    }),
  )
  const internalReference = await collectionAwaitingPassword()
  // The default run covers few samples of languages that start a virtual machine or link.
  const isShort = isCompiled && !isNightly
  const shown = isCompiled ? sampledByDefault(`samples in ${label}`, OPERATIONS) : OPERATIONS
  const refused = isShort ? shown.slice(-1) : sampledByDefault(`refusals of samples in ${label}`, shown)
  const twice = isShort
    ? []
    : sampledByDefault(`samples in ${label} for a second reader`, ['initializeCollection', 'sendFunds'])
  const { run } = await forFile(prepare(Object.fromEntries(shown.map((id) => [id, sourceOf(id)]))), {
    withinMs: 2 * COMPILING_MS_MAX,
  })
  async function refundable(operationId: string): Promise<void> {
    await collect(gateway.url, { merchant_reference: SHOWN.merchantReference })
    await customerApproves()
    const refund = { merchant_reference: SHOWN.refundReference, collection_reference: SHOWN.merchantReference }
    if (operationId === 'retrieveRefund')
      await postJson(gateway.url, '/collections/refund', { ...refund, amount: 500, reason: 'Returned' }, DEMO_KEYS)
  }

  test.each(shown)('the sample of %s works unchanged and gets a declared success', async (operationId) => {
    if (operationId === 'verifyTransaction')
      await collect(gateway.url, { merchant_reference: SHOWN.merchantReference }).then(customerApproves)
    if (operationId === 'getPayoutBatch') {
      const body = { batch_reference: SHOWN.batchReference, payouts: [mobileMoneyPayout()] }
      await postJson(gateway.url, '/payout/batches', body, DEMO_KEYS)
    }
    if (operationId === 'refundCollection' || operationId === 'retrieveRefund') await refundable(operationId)
    if (operationId === 'cancelPayout') await payOut(gateway.url, { merchant_reference: SHOWN.payoutReference })
    exchanges.length = 0
    const ran = await run(operationId)
    expect(ran, ran.stderr).toMatchObject({ exitCode: 0 })
    await customerApproves()

    expect(exchanges).toHaveLength(1)
    const [{ request, reply }] = exchanges as [Exchange]
    const { method, path, responses } = declared.operations.find(({ id }) => id === operationId)!
    expect(request.method).toBe(method)
    expect(pathValues(path, pathOf(request.path)), request.path).toBeDefined()
    const response = responses.find(({ status }) => status === String(reply.status))
    expect(response?.status, reply.body.toString()).toMatch(/^2/)
    expect(declared.faultIn(response!.schema!, JSON.parse(reply.body.toString()))).toBeUndefined()
    if (printsReplies) expect(ran.stdout).toContain(reply.body.toString())
    else if (operationId in PRINTED) expect(ran.stdout).toMatch(PRINTED[operationId]!)
    else if (LISTS.has(operationId)) expect(ran.stdout).toBe(listed(operationId, reply.body))
    else expect(ran.stdout.match(/[^\s,:]+/g)).toEqual(expect.arrayContaining([expect.toBeOneOf(reported(reply.body))]))
  })

  test.each(twice)('the sample of %s works for a second reader too', async (operationId) => {
    expect(await run(operationId)).toMatchObject({ exitCode: 0 })
    // References contain the time, in seconds at the coarsest.
    const second = Math.floor(Date.now() / 1000)
    await expect.poll(() => Math.floor(Date.now() / 1000)).toBeGreaterThan(second)
    const again = await run(operationId)
    expect(again, again.stdout + again.stderr).toMatchObject({ exitCode: 0 })
  })

  test.each(refused)("the sample of %s prints Malipo's message when refused, and no traceback", async (operationId) => {
    exchanges.length = 0
    isKnown = false
    const { exitCode, stdout, stderr } = await run(operationId).finally(() => (isKnown = true))
    const [{ reply }] = exchanges as [Exchange]
    const { message } = JSON.parse(reply.body.toString()) as { readonly message: string }
    expect(exitCode).not.toBe(0)
    const said = label === 'curl' ? stdout : stderr
    expect(said).toContain(message)
    if (label !== 'curl') expect(said.trim().split('\n')).toHaveLength(1)
  })

  test.each(refused)('the sample of %s reports a missing reply in one line, and no traceback', async (operationId) => {
    isAway = true
    const { exitCode, stderr } = await run(operationId).finally(() => (isAway = false))
    expect(exitCode).not.toBe(0)
    if (label !== 'curl') expect(stderr.trim().split('\n')).toHaveLength(1)
    if (!SAYS_BY_ITSELF.includes(label)) expect(stderr).toMatch(/^No reply: ./)
  })

  /** The sample, pointed at this test's gateway. */
  function sourceOf(operationId: string): string {
    const { source } = samples.find((sample) => sample.label === label && sample.operationId === operationId)!
    return source.replaceAll(SHOWN.url, proxy.url).replaceAll(SHOWN.internalReference, internalReference)
  }

  /** First the rail receives what was accepted, then the customer's decision. */
  async function customerApproves(): Promise<void> {
    await gateway.own.advance(0)
    await gateway.own.advance(CUSTOMER_MS)
  }

  async function collectionAwaitingPassword(): Promise<string> {
    const { body } = await collect(gateway.url, { msisdn: uniqueMsisdn('005') })
    await customerApproves()
    return String(body.data.internal_reference)
  }
})

/** The output of a list sample: a line for each item, with the fields that the operation shows. */
function listed(operationId: string, body: Buffer): string {
  const { list = '', result = list, shows = [] } = LISTS.get(operationId) ?? {}
  const { data } = JSON.parse(body.toString()) as { readonly data: Readonly<Record<string, readonly Fields[]>> }
  return present(data[result], result)
    .map((item) => `${shows.map((name) => String(item[name])).join(' ')}\n`)
    .join('')
}

/** Each text and number in the data of a reply. */
function reported(body: Buffer): string[] {
  const leaves = (value: unknown): string[] =>
    typeof value === 'object' && value !== null ? Object.values(value).flatMap(leaves) : [String(value)]
  return leaves((JSON.parse(body.toString()) as { readonly data: unknown }).data)
}

const pathOf = (path: string): string => path.replace(/\?.*/, '')
