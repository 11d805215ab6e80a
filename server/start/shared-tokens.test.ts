import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createSecretBox } from '../storage/secret-box.ts'
import { databaseTest } from '../verification/testing/database-test.ts'
import { fixedClock, MASTER_KEY } from '../verification/testing/gateway.ts'
import { createSharedTokens } from './shared-tokens.ts'
import { systemTimers } from './timers.ts'

const { pool } = await databaseTest()
const clock = fixedClock()
const box = createSecretBox(MASTER_KEY, { bytes: (size) => randomBytes(size) })
const processOf = (sealing = box) =>
  createSharedTokens(
    { pool, box: sealing, clock, timers: systemTimers },
    { name: 'mpesa-kenya', updatedAt: clock.now() },
  )
let given = 0
const fetchToken = async () => {
  const fetchedAt = clock.now()
  return { token: `token-${(given += 1)}`, fetchedAt, endsAt: new Date(fetchedAt.getTime() + 60_000) }
}

test('one process fetches a token, and the others use it until it ends', async () => {
  const processes = [processOf(), processOf(), processOf()]
  const renewed = async (ended?: string) =>
    (await Promise.all(processes.map((process) => process.renew('api', ended, fetchToken)))).map(({ token }) => token)
  expect(await renewed()).toEqual(['token-1', 'token-1', 'token-1'])
  expect(await renewed('token-1')).toEqual(['token-2', 'token-2', 'token-2'])
  clock.advance(60_000)
  expect(await renewed()).toEqual(['token-3', 'token-3', 'token-3'])
  const { rows } = await pool.query<{ sealed_token: Buffer }>('select sealed_token from rail_tokens')
  expect(rows.map(({ sealed_token }) => sealed_token.includes('token'))).toEqual([false])
})

test('a process that gets no token leaves the claim to the next one', async () => {
  const [one, other] = [processOf(), processOf()]
  await expect(one.renew('down', undefined, () => Promise.reject(new Error('down')))).rejects.toThrow('down')
  expect((await other.renew('down', undefined, fetchToken)).token).toMatch(/^token-/)
})

test('a token sealed with another master key is fetched anew', async () => {
  await processOf().renew('new key', undefined, fetchToken)
  const { token } = await processOf(createSecretBox('b'.repeat(64), { bytes: (size) => randomBytes(size) })).renew(
    'new key',
    undefined,
    fetchToken,
  )
  expect(token).toBe(`token-${given}`)
})
