import { CommanderError, type Command } from 'commander'
import { expect, test } from 'vitest'
import { createProgram } from './program.ts'

/** @returns why the program rejects the words; undefined when it accepts them */
async function faultOf(words: readonly string[]): Promise<string | undefined> {
  const program = await createProgram(words)
  silence(program)
  try {
    await program.parseAsync(words, { from: 'user' })
    return undefined
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    return error.message
  }
}

function silence(command: Command): void {
  command.exitOverride().configureOutput({ writeOut: () => undefined, writeErr: () => undefined })
  for (const each of command.commands) silence(each)
  if (command.commands.length === 0) command.action(() => undefined)
}

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
  [['staff', 'actions', '--after', '20', '--after', '10']],
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
