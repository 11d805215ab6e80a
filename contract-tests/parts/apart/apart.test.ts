import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { sampledByDefault } from '../../../server/verification/testing/nightly.ts'
import { freePort } from '../../../server/verification/testing/free-port.ts'
import { changingProxyTest } from '../../harness/testing/changing-proxy.ts'
import { ownGatewayTest } from '../../harness/testing/own-gateway-test.ts'
import { present, type Target } from '../../harness/part.ts'
import { passOn, type ProxyOptions, type WireReply, type WireRequest } from '../../harness/proxy.ts'
import * as edit from '../../strength/faults/edit.ts'
import { apartPart, runApart, type CheckName } from './apart.ts'

type Hooks = Pick<ProxyOptions, 'onRequest' | 'onReply'>
let toGateway: Hooks = {}
let toMerchant: Hooks = {}

const receiverPort = await freePort()
const merchant = await changingProxyTest(`http://127.0.0.1:${receiverPort}`, () => toMerchant)
const { gateway } = await ownGatewayTest({ receiverPort: merchant.port })
const api = await changingProxyTest(gateway.url, () => toGateway)
const { publicKey, secretKey } = gateway
const receiver = { ...present(gateway.receiver, 'receiver'), port: receiverPort }
const target: Target = { ...gateway, url: api.url, receiver }
const other = present(gateway.other, 'second merchant')
const options = { size: 'pull-request', log: () => undefined } as const

// suite.pull-request.test.ts shows that our gateway isolates two merchants.

test('is skipped with the reason when a second merchant or test numbers are missing', async () => {
  const { other: _other, ...alone } = target
  expect(await apartPart.run(alone, { ...options, seed: 1 })).toMatchObject({
    status: 'skipped',
    reason: expect.stringContaining('--other-public-key'),
  })
  expect(await apartPart.run({ ...target, sandbox: false }, { ...options, seed: 1 })).toMatchObject({
    status: 'skipped',
    reason: expect.stringContaining('test numbers'),
  })
})

// Servers that do not isolate merchants.

const isSecond = ({ headers }: WireRequest): boolean => headers['public-key']?.[0] === other.publicKey
const send = (request: WireRequest): Promise<WireReply> => passOn(new URL(gateway.url), request)
/** The request as the other merchant would have sent it. */
const asOther = (request: WireRequest): WireRequest => {
  const [key, secret] = isSecond(request) ? [publicKey, secretKey] : [other.publicKey, other.secretKey]
  const changed = edit.withHeader(request, 'public-key', key)
  return changed.headers['secret-key'] ? edit.withHeader(changed, 'secret-key', secret) : changed
}
/** Searches among the other merchant's resources for what is not found. */
const everybodys = (at: Parameters<typeof edit.isOne>[0]): Hooks => ({
  onReply: async (reply, request) => (edit.isOne(at, request) && reply.status === 404 ? send(asOther(request)) : reply),
})
const again = (request: WireRequest, seen: Map<string, string>, name: string): boolean => {
  const owner = seen.get(name) ?? request.headers['public-key']?.[0] ?? ''
  seen.set(name, owner)
  return owner !== request.headers['public-key']?.[0]
}

/** Beside other tests each one takes many times the second that it takes alone. */
const BUSY_MS = 120_000

interface FaultyServer {
  readonly only: readonly CheckName[]
  readonly api?: () => Hooks
  readonly merchant?: () => Hooks
  readonly found: readonly (readonly [about: string, what: string])[]
}

const WRONG: Readonly<Record<string, FaultyServer>> = {
  "returns anybody's payment": {
    only: ['references'],
    api: () => everybodys(edit.VERIFY),
    found: [['verifyTransaction', '200 "Transaction retrieved successfully", not 404']],
  },
  "has another message for another merchant's payment": {
    only: ['references'],
    api: () => ({
      onReply: async (reply, request) => {
        const isOthers =
          edit.isOne(edit.VERIFY, request) && reply.status === 404 && (await send(asOther(request))).status === 200
        return isOthers ? edit.withHeader(reply, 'x-owner', 'another') : reply
      },
    }),
    found: [['verifyTransaction', 'with other headers (x-owner)']],
  },
  "accepts an OTP for anybody's collection": {
    only: ['references'],
    api: () => everybodys(edit.AUTHORIZE),
    found: [
      ['authorizeCollection', 'not 404'],
      ['authorizeCollection', 'after the other merchant sent 5 wrong ones for it'],
    ],
  },
  'knows a merchant_reference for all merchants': {
    only: ['names'],
    api: () => {
      const seen = new Map<string, string>()
      return {
        onReply: (reply, request) => {
          if (!edit.isOne(edit.PAYMENTS, request)) return reply
          const name = String(edit.fieldsOf(request)?.['merchant_reference'])
          return name !== 'auto' && again(request, seen, name)
            ? edit.refusal(reply, 409, `merchant_reference (${name}) has already been used`)
            : reply
        },
      }
    },
    found: [['merchant_reference', 'one of them was answered 409']],
  },
  'knows an Idempotency-Key for all merchants': {
    only: ['replays'],
    api: () => {
      const kept = new Map<string, WireReply>()
      return {
        onReply: (reply, request) => {
          const key = request.headers['idempotency-key']?.[0]
          if (key === undefined) return reply
          const first = kept.get(key)
          kept.set(key, first ?? reply)
          return first ? edit.withHeader(first, 'idempotency-replayed', 'true') : reply
        },
      }
    },
    found: [
      ['Idempotency-Key', 'the same request of another merchant with a key that one has used was answered as a replay'],
      ['Idempotency-Key', 'another request of another merchant with a key that one has used was answered as a replay'],
      ['Idempotency-Key', 'the other merchant repeats an authorize under its key and gets 202'],
      ['Idempotency-Key', 'an authorize of another merchant with a key that one has used was answered as a replay'],
    ],
  },
  'accepts any valid secret key': {
    only: ['keys'],
    api: () => ({
      onRequest: (request) => {
        const secret = request.headers['secret-key']?.[0]
        const own = isSecond(request) ? other.secretKey : secretKey
        const isKnown = secret === secretKey || secret === other.secretKey
        return isKnown ? edit.withHeader(request, 'secret-key', own) : request
      },
    }),
    found: [
      ['listWalletBalances', 'was answered 200'],
      ['sendFunds', 'was answered 202'],
      ['sendFunds', 'left a transaction with'],
    ],
  },
  'shows the wallets of the first merchant to all': {
    only: [],
    api: () => ({
      onRequest: (request) => (edit.isOne(edit.WALLETS, request) && isSecond(request) ? asOther(request) : request),
    }),
    found: [
      ['listWalletBalances', 'payments of the first merchant moved MERCHANT_COLLECTION UGX of the second merchant'],
      ['listWalletBalances', 'payments of the second merchant with totals of'],
    ],
  },
  'lets everybody use every option': {
    only: ['options'],
    api: () => ({
      onReply: (reply, request) =>
        edit.isOne(edit.INITIALIZE, request) && edit.messageOf(reply).includes('not enabled')
          ? edit.refusal(reply, 400, 'amount must be between 1 and 2 RWF')
          : reply,
    }),
    found: [['initializeCollection', 'airtel_rw is listed for the other merchant only']],
  },
  'counts the requests of all merchants together': {
    only: ['rates'],
    api: () => {
      let isOver = false
      return {
        onReply: (reply) => {
          isOver ||= reply.status === 429
          return isOver ? edit.refusal(reply, 429, 'Too many requests: try again in 1 second') : reply
        },
      }
    },
    found: [
      ['rate limits', 'with the public key was answered 429 after the other merchant used its allowance up'],
      ['rate limits', 'with the secret key was answered 429 after its allowance of the public key was used up'],
      ['rate limits', 'after the other merchant used its payout allowance up'],
      ['rate limits', 'after the other merchant guessed references'],
      ['rate limits', 'after its address sent wrong keys'],
    ],
  },
  "pays one's payout out of the other's wallet": {
    only: ['funds'],
    api: () => ({
      onReply: (reply) =>
        edit.withBody(
          reply,
          reply.body
            .toString()
            .replace(
              '"FAILED","status_message":"Insufficient balance for the transaction"',
              '"COMPLETED","status_message":"Done"',
            ),
        ),
    }),
    found: [['sendFunds', 'which the second merchant cannot pay and the other one could, is COMPLETED "Done"']],
  },
  "names one merchant's order on the other's page": {
    only: ['pages'],
    api: () => ({
      onReply: (reply, { path }) =>
        path.startsWith('/pay/') && reply.status === 200
          ? edit.withBody(reply, reply.body.toString().replace('</title>', ' Order at shop B</title>'))
          : reply,
    }),
    found: [['paymentPage', 'the payment page of the first merchant names Order at shop B of the other one']],
  },
  'sends the callbacks of the second merchant to the first': {
    only: [],
    merchant: () => ({
      onRequest: (request) => ({ ...request, path: request.path.replace(/^\/other\/callbacks/, '/callbacks') }),
    }),
    found: [
      ['collectionCallback', 'of the second merchant came to the collectionCallback URL of the first merchant'],
      ['payoutCallback', 'of the second merchant came to the payoutCallback URL of the first merchant'],
    ],
  },
  "signs with one merchant's secret for all": {
    only: [],
    merchant: () => ({
      onRequest: (request) => {
        const [id, time] = ['webhook-id', 'webhook-timestamp'].map((name) => edit.header(request, name))
        const key = Buffer.from(receiver.webhookSecret.replace(/^whsec_/, ''), 'base64')
        const signature = createHmac('sha256', key).update(`${id}.${time}.`).update(request.body).digest('base64')
        return edit.withHeader(request, 'webhook-signature', `v1,${signature}`)
      },
    }),
    found: ['collectionCallback', 'payoutCallback', 'payoutHandshake'].flatMap((about) => [
      [about, 'is not signed with its webhook secret'] as const,
      [about, 'is signed with the secret of the other one'] as const,
    ]),
  },
  'leads every customer to the shop of the first merchant': {
    only: ['pages'],
    api: () => ({
      onReply: (reply) => {
        const location = reply.headers.location?.[0]
        return location?.includes('shop-b')
          ? edit.withHeader(reply, 'location', location.replace('shop-b', 'shop-a'))
          : reply
      },
    }),
    found: [['customerRedirect', 'leads to shop-a.example, not to its redirect_url']],
  },
}

const wrongServers = Object.entries(WRONG).map(([name, wrong], index) => ({ name, index, ...wrong }))
test.each(sampledByDefault('wrong servers', wrongServers))(
  'reports only the fault of a server that $name',
  { timeout: BUSY_MS },
  async ({ index, only, api: plant, merchant: plantMerchant, found }) => {
    toGateway = plant?.() ?? {}
    toMerchant = plantMerchant?.() ?? {}
    const { findings } = await runApart(target, { ...options, seed: 100 + index }, only)
    ;[toGateway, toMerchant] = [{}, {}]
    expect(findings.map(({ about }) => about).toSorted()).toEqual(found.map(([about]) => about).toSorted())
    for (const [about, what] of found)
      expect(findings).toContainEqual(expect.objectContaining({ about, what: expect.stringContaining(what) }))
    const secrets = [secretKey, other.secretKey, other.publicKey, publicKey]
    const reported = findings.map(({ what, curl }) => `${what} ${curl}`).join('\n')
    expect(secrets.filter((secret) => reported.includes(secret))).toEqual([])
  },
)
