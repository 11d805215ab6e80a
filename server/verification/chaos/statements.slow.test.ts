import { expect, test, vi } from 'vitest'
import { malipo } from '../../admin/cli/testing/command-line.ts'
import { environmentOf } from '../../admin/cli/testing/operated-gateway.ts'
import { gatewayTest } from '../testing/gateway-test.ts'
import { transfersFor } from '../testing/operators-book.ts'
import { collect, uniqueMsisdn, uniqueReference, verify } from '../testing/requests.ts'
import type { ChaosEnvironment } from './faults/fault.ts'
import { readStatements } from './statements.ts'

/** Between the failure and the late payment there is time to lose the message about it. */
const DELAY_MS = 1_500
const WITHIN = { timeout: 60_000, interval: 100 }

const { gateway, database } = await gatewayTest({
  clock: 'real',
  surroundings: { runJobs: true },
  env: { MALIPO_SANDBOX_RAILS: 'wire', MALIPO_SANDBOX_DELAY_MS: String(DELAY_MS) },
})
const env = environmentOf(database)
const world = {
  pool: gateway.pool,
  staff: { malipo: (...args: readonly string[]) => malipo([...args, '--json'], env) },
} as unknown as ChaosEnvironment

test('the statement books a late result that nobody received, and leaves no exception', async () => {
  const reference = uniqueReference()
  expect(await collect(gateway.url, { merchant_reference: reference, msisdn: uniqueMsisdn('007') })).toMatchObject({
    status: 202,
  })
  const statusOf = async () => (await verify(gateway.url, reference)).body.data.transaction_status
  await vi.waitFor(async () => expect(await statusOf()).toBe('FAILED'), WITHIN)
  await gateway.pool.query(
    `update rail_accounts set sealed_callback_keys = null, updated_at = now() where name = 'sandbox-uganda'`,
  )
  await vi.waitFor(async () => expect(await transfersFor(gateway.pool, reference)).toBe(1), WITHIN)

  const faults: string[] = []
  expect(await readStatements(world, faults)).toBe(1)
  expect([await statusOf(), faults]).toEqual(['COMPLETED', []])
  expect(await readStatements(world, faults)).toBe(0)
})
