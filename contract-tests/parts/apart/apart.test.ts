import { expect, test } from 'vitest'
import { sampledByDefault } from '../../../server/verification/testing/nightly.ts'
import { freePort } from '../../../server/verification/testing/free-port.ts'
import { changingProxyTest } from '../../harness/testing/changing-proxy.ts'
import { ownGatewayTest } from '../../harness/testing/own-gateway-test.ts'
import { present, type Target } from '../../harness/part.ts'
import { passOn, type ProxyOptions, type WireReply, type WireRequest } from '../../harness/proxy.ts'
import * as edit from '../../strength/faults/edit.ts'
import { apartPart, runApart, type CheckName } from './apart.ts'
import { refusal } from '../../../server/verification/testing/refusal.ts'

type Hooks = Pick<ProxyOptions, 'onRequest' | 'onReply'>
let toGateway: Hooks = {}

const { gateway } = await ownGatewayTest({ receiverPort: await freePort() })
const api = await changingProxyTest(gateway.url, () => toGateway)
const { publicKey, secretKey } = gateway
const target: Target = { ...gateway, url: api.url }
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

// Servers that do not isolate merchants, beside those of the catalogue.

const isSecond = ({ headers }: WireRequest): boolean => headers['public-key']?.[0] === other.publicKey
const send = (request: WireRequest): Promise<WireReply> => passOn(new URL(gateway.url), request)
/** The request as the other merchant would have sent it. */
const asOther = (request: WireRequest): WireRequest => {
  const [key, secret] = isSecond(request) ? [publicKey, secretKey] : [other.publicKey, other.secretKey]
  const changed = edit.withHeader(request, 'public-key', key)
  return changed.headers['secret-key'] ? edit.withHeader(changed, 'secret-key', secret) : changed
}

interface FaultyServer {
  readonly only: readonly CheckName[]
  readonly api: () => Hooks
  readonly found: readonly (readonly [about: string, what: string])[]
}

const WRONG: Readonly<Record<string, FaultyServer>> = {
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
  'lets everybody use every option': {
    only: ['options'],
    api: () => ({
      onReply: (reply, request) =>
        edit.isOne(edit.INITIALIZE, request) && edit.messageOf(reply).includes('not enabled')
          ? edit.refusal(reply, 400, refusal('amount_range', { '500': '1', '3000000': '2', UGX: 'RWF' }))
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
          return isOver ? edit.refusal(reply, 429, refusal('too_many_requests')) : reply
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
}

const wrongServers = Object.entries(WRONG).map(([name, wrong], index) => ({ name, index, ...wrong }))
test.each(sampledByDefault('wrong servers', wrongServers))(
  'reports only the fault of a server that $name',
  async ({ index, only, api: plant, found }) => {
    toGateway = plant()
    const { findings } = await runApart(target, { ...options, seed: 100 + index }, only)
    toGateway = {}
    expect(findings.map(({ about }) => about).toSorted()).toEqual(found.map(([about]) => about).toSorted())
    for (const [about, what] of found)
      expect(findings).toContainEqual(expect.objectContaining({ about, what: expect.stringContaining(what) }))
    const secrets = [secretKey, other.secretKey, other.publicKey, publicKey]
    const reported = findings.map(({ what, curl }) => `${what} ${curl}`).join('\n')
    expect(secrets.filter((secret) => reported.includes(secret))).toEqual([])
  },
)
