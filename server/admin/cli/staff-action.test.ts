import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { isConfirmed, isSomebodyThere } from './staff-action.ts'
import { LEAVE_AN_ENTRY, type StaffSetup } from './testing/staff-commands.ts'
import { usageFault } from './testing/usage.ts'

const SETUP: StaffSetup = {
  merchant: { id: 1, public_key: 'pub_1', secret_key: 's', signing_key: 's', webhook_secret: 's' },
  files: { mtn: 'f', daraja: 'f', renewed: 'f', statement: 'f', logo: 'f', payouts: 'f' },
  urls: { mtn: 'http://127.0.0.1:9', daraja: 'http://127.0.0.1:9' },
}

test.each([
  ...Object.entries(LEAVE_AN_ENTRY).map(([command, { args, withoutReason = false }]) => ({
    words: [...command.split(' '), ...args(SETUP)],
    withoutReason,
  })),
  { words: ['keys', 'rotate', '--rsa'], withoutReason: false },
  { words: ['keys', 'withdraw', '--rsa', '0123456789abcdef'], withoutReason: false },
])('$words without a reason is accepted: $withoutReason', async ({ words, withoutReason }) => {
  const fault = (await usageFault(words))?.message
  if (withoutReason) expect(fault).toBeUndefined()
  else expect(fault).toContain("required option '--reason <text>' not specified")
})

const faultOf = async (reason: string) =>
  (await usageFault(['rate', 'set', 'KES', 'UGX', '27', '--reason', reason]))?.message

test.each([
  'The customer said OTP 482913',
  'PIN yako ni 1234',
  'His password is hunter2',
  'Paid by hand to +256 772 000 123',
  'See https://amina:s3cret@bank.example',
])('refuses a reason that would store a secret for good: %s', async (reason) =>
  expect(await faultOf(reason)).toContain('It must hold no password'),
)

test.each(['ab', 'x'.repeat(501)])('refuses a reason of another length than 3 to 500: %j', async (reason) =>
  expect(await faultOf(reason)).toContain('3 to 500 readable characters'),
)

test.each([
  'abc',
  'x'.repeat(500),
  'Bank reference 8412345678 of 20260301080000',
  'FT26324XK81, order 3fd0c5b2-7a1e-4c0d-9b77-256772000123: 1,500,000 UGX',
  'Password policy of 2026, PIN blocked, see https://bank.example/tickets/4711',
])('accepts a reason with what support needs: %s', async (reason) => expect(await faultOf(reason)).toBeUndefined())

test.each([
  ['y\n', true],
  ['YES\n', true],
  ['\n', false],
  ['n\n', false],
  ['yesterday\n', false],
  ['', false],
])('accepts the answer %j for %j', async (answer, isYes) => {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const confirmed = isConfirmed(input, output)
  input.end(answer)
  expect(await confirmed).toBe(isYes)
})

test('prompts nobody without a terminal', () => {
  expect(isSomebodyThere({ isTTY: true }, { isTTY: true })).toBe(true)
  expect(isSomebodyThere({}, { isTTY: true })).toBe(false)
  expect(isSomebodyThere({}, {})).toBe(false)
  expect(() => isSomebodyThere({ isTTY: true }, {})).toThrow(/to be a terminal\.\nAdd --yes/)
})
