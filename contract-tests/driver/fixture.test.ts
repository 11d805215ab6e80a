import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { createFixture } from './fixture.ts'
import { UNCOVERED } from './payout-funds.ts'
import { listen } from '../harness/listen.ts'

/** A server whose payout wallet of Ghana holds so much. */
async function fixtureWith(available: number) {
  const wallets = [{ wallet_type: 'MERCHANT_PAYOUT', currency: 'GHS', available_balance: available }]
  const server = createServer((_, reply) =>
    reply.end(JSON.stringify({ status: 'success', message: '', data: { merchant_wallets: wallets } })),
  )
  const { url, close } = await listen(server)
  onTestFinished(close)
  const target = { url, publicKey: 'public', secretKey: 'secret', sandbox: true, contract: '' }
  return createFixture(target, { seed: 1, size: 'pull-request' })
}

const PAYOUT = { currency: 'GHS', amount: 10, tests: 'payouts to test number 001' }
const FAILED = { transaction_status: 'FAILED', status_message: UNCOVERED }

test('a payout fails: a warning while its wallet is empty, and none while it is full', async () => {
  const [empty, full] = [await fixtureWith(0.34), await fixtureWith(12)]
  expect(await empty.ranDry(FAILED, PAYOUT)).toBe(true)
  expect(await empty.ranDry(FAILED, PAYOUT)).toBe(true)
  expect(await empty.ranDry({ ...FAILED, status_message: 'Another' }, PAYOUT)).toBe(false)
  const why = 'not enough in wallet GHS: 0.34 (12 needed; skipped: payouts to test number 001)'
  expect(empty.outcome().reason).toBe(why)
  expect(await full.ranDry(FAILED, PAYOUT)).toBe(false)
  expect(full.outcome().reason).toBeUndefined()
})
