import { expect, test } from 'vitest'
import { parseSince } from './command.ts'
import { ADDED, LIMITS } from './testing/staff-commands.ts'
import { usageFault } from './testing/usage.ts'

const faultOf = async (words: readonly string[]) => (await usageFault(words))?.message

const RESOLVE = ['transaction', 'resolve', 'ORDER-1', '--reason', 'Ticket 4711']
const DEPOSIT = ['wallet', 'deposit', '2', 'UGX', '5', '--reference', 'FT-1', '--reason', 'Ticket 4711']
const TRANSFER = ['wallet', 'transfer', '2', 'UGX', '5', '--from', 'payout', '--to', 'collection']
const SET = ['provider', 'set', 'mtn_ug', '--reason', 'Ticket 4711']

test.each([
  [[...RESOLVE, '--failed', '--json'], '--json is an option, not the value of this one'],
  [[...RESOLVE, '--failed=--json'], '--json is an option'],
  [[...RESOLVE, '--failed', '-h'], '-h is an option'],
  [[...RESOLVE, '--failed', ' --json'], ' --json is an option'],
  [[...RESOLVE, '--failed', '—json'], 'It begins with —, which word processors make of two hyphens'],
  [[...RESOLVE, '--failed', '–-yes'], 'It begins with –'],
  [['merchant', 'set', '2', '--name', '-h', '--reason', 'Ticket 4711'], '-h is an option'],
  [['rail', 'set', 'mtn', '--from', '--yes', '--reason', 'Ticket 4711'], '--yes is an option'],
])('refuses an option that takes the next one for its value: %j', async (words, why) => {
  expect(await faultOf(words)).toContain(why)
})

test.each([
  '2026-02-30',
  '2026-11-20 (x)',
  '2026-11-20T25:00',
  '2026-11-20T10:00 EAT',
  '2026-12-31T23:59:60Z',
  'yesterday',
])('refuses %s as a moment', async (text) => {
  expect(await faultOf(['report', 'volume', '--since', text])).toContain('in UTC unless it names a zone')
})

test.each([
  ['2026-11-20', '2026-11-20T00:00:00.000Z'],
  ['2026-11-20T10:00:00', '2026-11-20T10:00:00.000Z'],
  ['2026-11-20 10:00', '2026-11-20T10:00:00.000Z'],
  ['2026-11-20T10:00:00.5Z', '2026-11-20T10:00:00.500Z'],
  ['2026-11-20T10:00:00+03:00', '2026-11-20T07:00:00.000Z'],
])('takes %s for a moment in UTC, whatever the zone of the machine', (text, moment) => {
  expect(parseSince(text)(new Date(0)).toISOString()).toBe(moment)
})

test.each([
  [[...DEPOSIT, '--reference', 'FT-2'], '--reference <text>'],
  [[...DEPOSIT, '--reason', 'Ticket 4712'], '--reason <text>'],
  [[...DEPOSIT, '--reason=Ticket 4711'], '--reason <text>'],
  [[...RESOLVE, '--failed', 'Nothing came', '--failed', 'Something came'], '--failed <reason>'],
  [[...TRANSFER, '--from', 'collection', '--reference', 'M-1', '--reason', 'Ticket 4711'], '--from <wallet>'],
  [[...SET, '--type', 'PAYOUT', '--max', '5000', '--max', '50000'], '--max <amount>'],
  [['doctor', '--anchor', 'a.txt', '--anchor', 'b.txt'], '--anchor <file>'],
])('refuses an option that is given twice: %j', async (words, option) => {
  expect(await faultOf(words)).toMatch(new RegExp(`^error: option '${option}' .* It is set twice: set it once`))
})

test.each([[[...SET, '--rail', 'mtn', '--no-rail']], [[...SET, '--no-rail', '--rail', 'mtn']]])(
  'refuses an option and its opposite: %j',
  async (words) => {
    expect(await faultOf(words)).toBe('error: --rail and --no-rail contradict each other')
  },
)

test.each([
  [[...DEPOSIT, '--yes', '--yes']],
  [['audit', 'list', '--after', '20', '--after', '10']],
  [['transaction', 'list', '--limit', '5', '--after', '20', '--after', '10', '--limit', '2']],
  [[...RESOLVE, '--failed', 'Nothing came — says MTN']],
  [[...RESOLVE, '--failed', '-5 UGX were booked']],
  [['rail', 'set', 'mtn', '--from', '-', '--reason', 'Ticket 4711']],
  [['rail', 'set', 'mtn', '--set', 'a=1', '--set', 'b=2', '--reason', 'Ticket 4711']],
  [['merchant', 'set', '2', '--enable', 'mtn_ug:PAYOUT', '--enable', 'airtel_ug:PAYOUT', '--reason', 'Ticket 4711']],
  [['merchant', 'set', '2', '--verification-url', '', '--reason', 'Ticket 4711']],
  [[...SET, '--no-rail', '--no-rail']],
])('accepts %j', async (words) => {
  expect(await faultOf(words)).toBeUndefined()
})

const withPrefixes = (prefixes: string) => [...SET, '--prefixes', prefixes]
const ofCode = (code: string) => ['provider', 'add', code, ...ADDED, ...LIMITS]
const WRONG_PREFIXES = ['', '74,', '74;75', '+74', '1234567', 'abc']

test.each<[words: readonly string[], fault: string]>([
  [withPrefixes('74,75,74'), 'It has 74 twice'],
  ...WRONG_PREFIXES.map((text): [string[], string] => [withPrefixes(text), '1 to 100 prefixes of 1 to 6 digits']),
  [[...SET, '--prefix-rule', 'loose'], 'It must be one of strict, hint.'],
  [ofCode('Mtn'), 'It must be 2 to 64 lower-case letters'],
  [ofCode('mtn-x'), 'It must be 2 to 64 lower-case letters'],
])('refuses a value of another form: %j', async (words, fault) => {
  expect(await faultOf(words)).toContain(fault)
})

test.each([
  ['deposit', []],
  ['transfer', ['--from', 'payout', '--to', 'collection']],
])('refuses a %s without a reference', async (what, options) => {
  const words = ['wallet', what, '1', 'UGX', '700', ...options, '--reason', 'A bank transfer']
  expect(await faultOf(words)).toContain("required option '--reference <text>' not specified")
})
