import { expect, test } from 'vitest'
import { mobileCollection, mobilePayout } from './driver/bodies.ts'
import { postRequest, sendRequest } from './driver/requests.ts'
import type { Finding, PartResult, Target } from './harness/part.ts'
import { partResult } from './harness/testing/part-result.ts'
import { changingProxyTest, replies, withText, type Hooks } from './harness/testing/changing-proxy.ts'
import { ownGatewayTest } from './harness/testing/own-gateway-test.ts'
import { rulesAround } from './rules/around.ts'

const { gateway } = await ownGatewayTest()
let hooks: Hooks = {}
const api = await changingProxyTest(gateway.url, () => hooks)
let count = 0

/** Payments in all ways to end, in two currencies, none of which the part waits for. */
async function pays(target: Target): Promise<PartResult> {
  for (const ending of ['001', '002', '006', '007', '010']) {
    const merchant_reference = `SETTLE-${ending}-${(count += 1)}`
    const rwandan = { provider_code: 'mtn_rw', currency: 'RWF', amount: 1234, account_number: `250780000${ending}` }
    const collection = mobileCollection({ merchant_reference, msisdn: `256772000${ending}` })
    const payout = mobilePayout({ ...rwandan, merchant_reference: `${merchant_reference}-OUT` })
    for (const request of [
      postRequest(target, 'initializeCollection', collection),
      postRequest(target, 'sendFunds', payout),
    ])
      expect(await sendRequest(target.url, request)).toMatchObject({ status: 202 })
  }
  return partResult('pays')
}

async function findings(): Promise<readonly Finding[]> {
  const watched = await rulesAround({ ...gateway, url: api.url })
  try {
    await watched.run({ name: 'pays' }, pays)
    return watched.result()?.findings ?? []
  } finally {
    await watched.close()
  }
}

test('settles all payments before it compares the wallets, also when it does so again', async () => {
  expect(await findings()).toEqual([])
  expect(await findings()).toEqual([])
})

const RWANDAN_PAYOUTS = /"available_balance":(\d+),"actual_balance":(\d+)(?=[^{]*"RWF","wallet_type":"MERCHANT_PAYOUT")/
const oneMore = ([available, actual]: readonly unknown[]): string =>
  `"available_balance":${Number(available) + 1},"actual_balance":${Number(actual) + 1}`

test('finds one wallet of one currency that is off by a unit', async () => {
  let first: string | undefined
  hooks = replies(/wallet-balances/, 200, (reply) =>
    withText(reply, (text) => {
      first ??= text
      return first === text ? text : text.replace(RWANDAN_PAYOUTS, (_, ...balances) => oneMore(balances))
    }),
  )
  expect(await findings()).toEqual([
    expect.objectContaining({ about: 'listWalletBalances', what: expect.stringMatching(/^MERCHANT_PAYOUT RWF was /) }),
  ])
})
