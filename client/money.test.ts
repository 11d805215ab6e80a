import { expect, test } from 'vitest'
import { decimalsOf as decimalsOfServer, moneyFromWire } from '../server/domain/money.ts'
import { createMalipo, money } from './index.ts'
import { recordingServer } from './testing/recording-server.ts'
import { collection, payout } from './testing/requests.ts'

test("every currency has the gateway's decimals, also where people write fewer", () => {
  // Intl does not treat funds codes as currencies.
  const currencies = [...Intl.supportedValuesOf('currency'), 'CLF', 'UYI', 'UYW']
  expect(currencies).toEqual(expect.arrayContaining(['IQD', 'SOS', 'MGA', 'LBP', 'AFN', 'UGX']))
  const decimals = (of: (currency: string) => number) =>
    Object.fromEntries(currencies.map((currency) => [currency, of(currency)]))
  expect(decimals(money.decimalsOf)).toEqual(decimals(decimalsOfServer))
})

test.each<[string | number, string, bigint, number]>([
  ['12.50', 'KES', 1250n, 12.5],
  ['12.5', 'KES', 1250n, 12.5],
  [12.5, 'KES', 1250n, 12.5],
  ['0.07', 'KES', 7n, 0.07],
  ['19.99', 'KES', 1999n, 19.99],
  ['5000', 'UGX', 5000n, 5000],
  [3_000_000, 'UGX', 3_000_000n, 3_000_000],
  ['5000.0', 'UGX', 5000n, 5000],
  ['12.500', 'KES', 1250n, 12.5],
  ['0.00', 'UGX', 0n, 0],
  ['1.005', 'BHD', 1005n, 1.005],
  ['90071992547409.91', 'KES', 9007199254740991n, 90071992547409.91],
])('%s %s is %s minor units', (amount, currency, minor, major) => {
  expect(money.toMinor(amount, currency)).toBe(minor)
  expect(money.toAmount(amount, currency)).toBe(major)
  expect(money.fromMinor(minor, currency)).toBe(major)
  expect(money.fromMinor(Number(minor), currency)).toBe(major)
})

test.each<[string | number, string, string]>([
  ['12.505', 'KES', 'at most 2 decimals for KES'],
  [0.1 + 0.2, 'KES', 'at most 2 decimals'],
  ['0.5', 'UGX', 'at most 0 decimals for UGX'],
  ['5000.01', 'UGX', 'at most 0 decimals'],
  [1e-7, 'KES', 'at most 2 decimals'],
  ['1,000', 'KES', 'must be digits'],
  ['1 000', 'KES', 'must be digits'],
  ['-5', 'KES', 'must be digits'],
  ['', 'KES', 'must be digits'],
  ['5.', 'KES', 'must be digits'],
  ['1e3', 'KES', 'must be digits'],
  [Number.NaN, 'KES', 'must be digits'],
  [Infinity, 'KES', 'must be digits'],
  [1e21, 'UGX', 'must be digits'],
  ['٥', 'KES', 'must be digits'],
  ['900719925474099.99', 'KES', 'below 2^53'],
  ['5', 'kes', 'three capital letters'],
  ['5', '', 'three capital letters'],
  ['5', 'toString', 'three capital letters'],
])('refuses %s %s: %s', (amount, currency, reason) => {
  expect(() => money.toAmount(amount, currency)).toThrow(
    expect.objectContaining({
      name: 'MalipoError',
      kind: 'validation',
      retryable: false,
      message: expect.stringContaining(reason) as string,
    }),
  )
})

test.each([-1, 0.5, Number.NaN, -1n, 2n ** 53n])('refuses %s as a number of minor units', (amountMinor) => {
  expect(() => money.fromMinor(amountMinor, 'KES')).toThrow(/^amountMinor must be a whole number/)
})

test.each(['5000', '5000.0', '5000.00', '5000.5', '5000.0000000000001', '12.50', '12.500', '12.505', '0.00'])(
  'reads %s as the gateway does',
  (amount) => {
    for (const currency of ['UGX', 'KES', 'BHD']) {
      const outcome = (read: () => bigint) => {
        try {
          return read()
        } catch (error) {
          return (error as Error).message
        }
      }
      expect(outcome(() => money.toMinor(amount, currency))).toEqual(
        outcome(() => moneyFromWire(amount, currency).amountMinor),
      )
    }
  },
)

const NO_NUMBER = 'amount must be a finite number; money.toAmount makes amounts'

test.each<[number, string, string]>([
  [0.1 + 0.2, 'KES', 'amount must have at most 2 decimals for KES'],
  [5000.5, 'UGX', 'amount must have at most 0 decimals for UGX'],
  [1e-7, 'KES', 'amount must have at most 2 decimals for KES'],
  [Number.NaN, 'UGX', NO_NUMBER],
  [Infinity, 'KES', NO_NUMBER],
])('refuses %d %s before sending anything', async (amount, currency, message) => {
  const { baseUrl, requests } = await recordingServer(() => {})
  const malipo = createMalipo({ baseUrl, publicKey: 'pub_test', secretKey: 'sec_test' })
  const wrong = { kind: 'validation', status: undefined, message }
  await expect(malipo.collections.initialize({ ...collection, currency, amount })).rejects.toMatchObject(wrong)
  await expect(malipo.payouts.send({ ...payout, currency, amount })).rejects.toMatchObject(wrong)
  expect(requests).toEqual([])
})

test.each(['12.50', 1250n, null])(
  'refuses an amount that is no number (%s), and explains how to convert it',
  async (amount) => {
    const { baseUrl, requests } = await recordingServer(() => {})
    const request = { ...collection, currency: 'KES', amount }
    const { collections } = createMalipo({ baseUrl, publicKey: 'pub_test' })
    // @ts-expect-error a program without types can pass anything
    await expect(collections.initialize(request)).rejects.toMatchObject({ kind: 'validation', message: NO_NUMBER })
    expect(requests).toEqual([])
  },
)

test.each([Number.NaN, null, '2000'])('never takes %s in a refund for all that is left', async (amount) => {
  const { baseUrl, requests } = await recordingServer(() => {})
  const malipo = createMalipo({ baseUrl, publicKey: 'pub_test', secretKey: 'sec_test' })
  const refund = { merchant_reference: 'REFUND-0001', collection_reference: 'ORDER-0001', reason: 'Returned', amount }
  const wrong = { kind: 'validation', message: NO_NUMBER }
  // @ts-expect-error a program without types can pass anything
  await expect(malipo.collections.refund(refund)).rejects.toMatchObject(wrong)
  expect(requests).toEqual([])
})

test('names the number that is none, in rows too', async () => {
  const { baseUrl, requests } = await recordingServer(() => {})
  const malipo = createMalipo({ baseUrl, publicKey: 'pub_test', secretKey: 'sec_test' })
  const row = { ...payout, amount: Number.NaN }
  await expect(malipo.payouts.batch({ batch_reference: 'BATCH-0001', payouts: [row] })).rejects.toThrow(NO_NUMBER)
  const expected = { ...collection, customer_reference: 'INV-2026-1' }
  const within = (limits: object) => malipo.collections.expect({ ...expected, ...limits })
  await expect(within({ max_amount: Infinity })).rejects.toThrow('max_amount must be a finite number')
  await expect(within({ expires_in: Number.NaN })).rejects.toThrow('expires_in must be a finite number')
  expect(requests).toEqual([])
})

test('leaves every other rule to the gateway', async () => {
  const { baseUrl, requests } = await recordingServer((response) => void response.destroy())
  const malipo = createMalipo({ baseUrl, publicKey: 'pub_test', maxRetries: 0 })
  for (const [amount, currency] of [
    [1e21, 'UGX'],
    [-5, 'KES'],
    [0.07, 'KES'],
    [0.5, 'ugx'],
    [undefined, 'UGX'],
  ]) {
    const request = { ...collection, currency, amount }
    // @ts-expect-error a missing amount is for the gateway to refuse
    await expect(malipo.collections.initialize(request)).rejects.toMatchObject({ kind: 'network' })
  }
  expect(requests).toHaveLength(5)
})
