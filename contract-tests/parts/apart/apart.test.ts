import { expect, test } from 'vitest'
import { freePort } from '../../../server/verification/testing/free-port.ts'
import { sampledByDefault } from '../../../server/verification/testing/nightly.ts'
import { refusal } from '../../../server/verification/testing/refusal.ts'
import { present, type Target } from '../../harness/part.ts'
import { passOn, type ProxyOptions, type WireReply, type WireRequest } from '../../harness/proxy.ts'
import { changingProxyTest } from '../../harness/testing/changing-proxy.ts'
import { ownGatewayTest } from '../../harness/testing/own-gateway-test.ts'
import * as edit from '../../strength/faults/edit.ts'
import { apartPart, runApart, type CheckName } from './apart.ts'

// What single checks find, and nothing else, beside the catalogue. suite.pull-request.test.ts shows that our gateway
// isolates two merchants.

type Hooks = Pick<ProxyOptions, 'onReply'>
let planted: Hooks = {}
const { gateway } = await ownGatewayTest({ receiverPort: await freePort() })
const api = await changingProxyTest(gateway.url, () => planted)
const target: Target = { ...gateway, url: api.url }
const other = present(gateway.other, 'second merchant')
const options = { size: 'pull-request', log: () => undefined } as const

const replying =
  (onReply: (reply: WireReply, request: WireRequest) => WireReply | Promise<WireReply>) => (): Hooks => ({
    onReply,
  })

/** Whether the other merchant would have been answered 200. */
async function isOthers(request: WireRequest): Promise<boolean> {
  const isSecond = request.headers['public-key']?.[0] === other.publicKey
  const asked = edit.withHeader(request, 'public-key', isSecond ? gateway.publicKey : other.publicKey)
  return (await passOn(new URL(gateway.url), asked)).status === 200
}

function oneLimitOfAll(): Hooks {
  let isOver = false
  return replying((reply) => {
    isOver ||= reply.status === 429
    return isOver ? edit.refusal(reply, 429, refusal('too_many_requests')) : reply
  })()
}
const UNFUNDED = '"FAILED","status_message":"Insufficient balance for the transaction"'

const ROWS: Readonly<Record<string, readonly [check: CheckName, plant: () => Hooks, ...found: readonly string[]]>> = {
  "a header about others' payments": [
    'references',
    replying(async (reply, request) =>
      edit.isOne(edit.VERIFY, request) && reply.status === 404 && (await isOthers(request))
        ? edit.withHeader(reply, 'x-owner', 'another')
        : reply,
    ),
    'with other headers (x-owner)',
  ],
  'options of everybody': [
    'options',
    replying((reply, request) =>
      edit.isOne(edit.INITIALIZE, request) && edit.messageOf(reply).includes('not enabled')
        ? edit.refusal(reply, 400, refusal('amount_range', { '500': '1', '3000000': '2', UGX: 'RWF' }))
        : reply,
    ),
    'initializeCollection: airtel_rw is listed for the other merchant only',
  ],
  'one rate limit of all merchants': [
    'rates',
    oneLimitOfAll,
    'with the public key was answered 429 after the other merchant used its allowance up',
    'with the secret key was answered 429 after its allowance of the public key was used up',
    'after the other merchant used its payout allowance up',
    'after the other merchant guessed references',
    'after its address sent wrong keys',
  ],
  'the wallet of another': [
    'funds',
    replying((reply) =>
      edit.withBody(reply, reply.body.toString().replace(UNFUNDED, '"COMPLETED","status_message":"Done"')),
    ),
    'which the second merchant cannot pay and the other one could, is COMPLETED "Done"',
  ],
  'the order of another on a page': [
    'pages',
    replying((reply, { path }) =>
      path.startsWith('/pay/') && reply.status === 200
        ? edit.withBody(reply, reply.body.toString().replace('</title>', ' Order at shop B</title>'))
        : reply,
    ),
    'paymentPage: the payment page of the first merchant names Order at shop B of the other one',
  ],
}

const rows = Object.entries(ROWS).map(([name, [check, plant, ...found]], index) => ({
  name,
  check,
  plant,
  found,
  seed: 500 * (index + 1),
}))
test.each(sampledByDefault('wrong servers', rows))('finds only $name', async ({ check, plant, found, seed }) => {
  planted = plant()
  const { findings } = await runApart(target, { ...options, seed }, [check])
  planted = {}
  const reported = findings.map(({ about, what }) => `${about}: ${what}`)
  expect(reported).toHaveLength(found.length)
  for (const text of found) expect(reported).toContainEqual(expect.stringContaining(text))
  const secrets = [gateway, other].flatMap(({ publicKey, secretKey }) => [publicKey, secretKey])
  const printed = findings.map(({ what, curl }) => `${what} ${curl}`).join('\n')
  expect(secrets.filter((secret) => printed.includes(secret))).toEqual([])
})

test('is skipped without a second merchant or test numbers, and says so', async () => {
  const { other: _other, ...alone } = target
  const seeded = { ...options, seed: 1 }
  const reasons = [await apartPart.run(alone, seeded), await apartPart.run({ ...target, sandbox: false }, seeded)].map(
    ({ status, reason }) => `${status}: ${reason}`,
  )
  expect(reasons[0]).toMatch(/^skipped: .*--other-public-key/)
  for (const reason of reasons.slice(1)) expect(reason).toMatch(/^skipped: .*test numbers/)
})
