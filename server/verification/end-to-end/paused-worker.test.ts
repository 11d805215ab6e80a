import { expect, test } from 'vitest'
import { settling } from '../../admin/cli/settling.ts'
import type { Delivery } from '../../actions/ports/delivery.ts'
import type { Job, JobKind } from '../../actions/ports/jobs.ts'
import { createStore } from '../../storage/store.ts'
import { createJobStore } from '../../storage/jobs.ts'
import { MASTER_KEY } from '../testing/gateway.ts'
import { expectBalancedBooks } from '../testing/ledger.ts'
import { payOut, uniqueReference, verify } from '../testing/requests.ts'
import { holdFunds } from '../../actions/hold-funds.ts'
import { createPayoutVerification } from '../../actions/verify-payout.ts'
import { gatewayTest } from '../testing/gateway-test.ts'

const { gateway, clock } = await gatewayTest()

let claims = 0
async function claim(kind: JobKind): Promise<Job> {
  const now = clock.now()
  const [item] = await createJobStore(gateway.pool).claim(
    kind,
    { token: String(++claims).padStart(32, '0'), now, leaseUntil: new Date(now.getTime() + 30_000) },
    1,
  )
  return item!
}

const context = {
  config: { masterKey: MASTER_KEY, mode: 'sandbox' } as never,
  pool: gateway.pool,
  clock: clock as never,
}
const deps = { ...(await settling(context)), clock, store: createStore(gateway.pool) }
const verification = (sendRequest: () => Promise<Delivery>) =>
  createPayoutVerification({
    ...deps,
    handshakes: { request: sendRequest },
    limiter: async (_to, prepare) => void (await (await prepare())()),
  })

// Whoever holds the row by then.
test.each([404, 200])('a worker paused in a handshake past its lease changes nothing on HTTP %i', async (answer) => {
  const reference = uniqueReference()
  await payOut(gateway.url, { merchant_reference: reference, amount: 1000 })

  const requested = Promise.withResolvers<void>()
  const { promise: late, resolve: wake } = Promise.withResolvers<Delivery>()
  const paused = verification(() => {
    requested.resolve()
    return late
  })([await claim('verifyPayout')])
  await requested.promise
  clock.advance(31_000)
  await Promise.all(verification(async () => ({ httpStatus: 200, durationMs: 1 }))([await claim('verifyPayout')]))
  await holdFunds(deps, [await claim('holdFunds')])
  await claim('submitToRail') // by a third worker, which has not got far yet

  wake({ httpStatus: answer, durationMs: 31_000 })
  await Promise.all(paused)
  expect((await verify(gateway.url, reference)).body.data).toMatchObject({ transaction_status: 'PENDING' })
  expect((await gateway.pool.query('select kind from jobs where kind <> $1', ['deliverCallback'])).rows).toEqual([
    { kind: 'submitToRail' },
  ])

  clock.advance(31_000)
  await gateway.runDue()
  clock.advance(1_000)
  await gateway.runDue()
  expect((await verify(gateway.url, reference)).body.data).toMatchObject({ transaction_status: 'COMPLETED' })
  expect(
    (
      await gateway.pool.query(
        `select coalesce(sum(balance_minor), 0)::int as held from accounts where kind = 'payout_held'`,
      )
    ).rows,
  ).toEqual([{ held: 0 }])
  await expectBalancedBooks(gateway)
})
