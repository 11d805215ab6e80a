import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { startReceiver } from '../../server/verification/testing/receiver.ts'
import { USER_AGENT } from '../user-agent.ts'
import { GOOD_ROWS } from './check/good-rows.ts'
import { TextReport } from './check/report.ts'
import { Painter } from './paint.ts'
import { COMMANDS, runToolbox } from './run-toolbox.ts'
import { run, testTerminal } from './testing/terminal.ts'
import { temporaryFolder } from '../../server/verification/testing/temporary-folder.ts'

// The texts of the toolbox for people: its version, suggestions for typing errors, impossible inputs, in lines that
// fit.

const { path: folder } = temporaryFolder()

test.each(['--version', '-v'])('%s prints name and version', async (option) => {
  const { exitCode, printed } = await run([option], folder)
  expect([exitCode, printed]).toEqual([0, [USER_AGENT.replace('malipo-client/', 'malipo-dev ')]])
})

test.each([
  ['lisen', '"listen"'],
  ['listen --events transaction.complete', '"transaction.completed"'],
  ['chekc http://localhost:1', '"check"'],
  ['listen --foward-to http://localhost:1', '"--forward-to"'],
  ['trigger colection.completed --to http://localhost:1', '"collection.completed"'],
  ['check http://localhost:1 --only duplicat', '"duplicate"'],
  ['certify http://localhost:1 --only outag', '"outage"'],
  ['new shop --framework fastfy', '"fastify"'],
  ['new shp', '"new shop"'],
])('malipo-dev %s: did you mean %s?', async (line, meant) => {
  const { exitCode, complained } = await run(line.split(' '), folder)
  expect(exitCode).toBe(2)
  expect(complained[0]).toMatch(new RegExp(`Did you mean ${meant}\\?$`))
})

test('explains how to write a value that begins with a dash', async () => {
  const { exitCode, complained } = await run(['trigger', 'payout.failed', '--amount', '-5'], folder)
  expect([exitCode, complained[0]]).toEqual([
    2,
    'malipo-dev trigger: --amount needs a value; one that begins with a dash is written --amount=-…',
  ])
})

test('suggests nothing without a similar name', async () => {
  expect((await run(['refund'], folder)).complained[0]).toBe('malipo-dev has no command "refund".')
})

test.each([
  ['--amount 0.001 --currency UGX', /UGX/],
  ['--amount 0', /more than 0/],
  ['--reference short', /8 to 36 characters/],
])('trigger %s warns that Malipo never sends it, and sends it', async (options, fault) => {
  const receiver = await startReceiver()
  try {
    const args = ['trigger', 'collection.completed', '--to', receiver.url, ...options.split(' ')]
    const { exitCode, complained } = await run(args, folder)
    expect([exitCode, receiver.received.length]).toEqual([0, 1])
    expect(complained).toEqual([expect.stringMatching(/^Malipo never sends this: .* Sending it all the same\.$/)])
    expect(complained[0]).toMatch(fault)
  } finally {
    await receiver.close()
  }
})

test('sends a valid sample without a warning', async () => {
  const receiver = await startReceiver()
  try {
    const { complained } = await run(['trigger', 'payout.failed', '--to', receiver.url, '--amount', '5000'], folder)
    expect(complained).toEqual([])
  } finally {
    await receiver.close()
  }
})

test.each([
  '',
  'listen',
  'trigger',
  'resend',
  'check',
  'certify',
  'clock advance',
  'clock show',
  'scenario load',
  'new shop',
])('the help of %s fits a narrow terminal, with commands on one line to copy', async (name) => {
  const terminal = { ...testTerminal(folder), columns: 60 }
  await runToolbox([...name.split(' ').filter((word) => word !== ''), '--help'], terminal)
  const help = terminal.printed.join('\n')
  expect(help.split('\n').filter((line) => line.length > 60)).toEqual([])
  const [, example] = /^Example\n((?:.*\\\n)*.*)$/m.exec(help) ?? []
  expect(example?.replaceAll(/ \\\n +/g, ' ').trim()).toBe(COMMANDS.find((command) => command.name === name)?.example)
})

test("quotes a shop's folder for the shell", async () => {
  const { printed } = await run(['new', 'shop', "Amina's coffee", '--framework', 'php'], folder)
  expect(printed).toContain("  cd 'Amina'\\''s coffee'")
})

test('prints no stack trace when the reader closes the pipe, as head does', async () => {
  const toolbox = fileURLToPath(new URL('malipo-dev.ts', import.meta.url))
  const child = spawn(process.execPath, [toolbox, '--help'], { stdio: ['ignore', 'pipe', 'pipe'] })
  child.stdout.destroy()
  const [complained, [exitCode]] = await Promise.all([text(child.stderr), once(child, 'exit')])
  expect([exitCode, complained]).toEqual([141, ''])
})

test('a path is one of the shop at PORT, and trigger takes the names of bodies', async () => {
  const receiver = await startReceiver()
  try {
    const toolbox = fileURLToPath(new URL('malipo-dev.ts', import.meta.url))
    const env = { ...process.env, PORT: new URL(receiver.url).port }
    const child = spawn(process.execPath, [toolbox, 'trigger', 'transaction.failed', '--to', '/callbacks'], {
      cwd: folder,
      env,
      stdio: 'ignore',
    })
    expect(await once(child, 'exit')).toEqual([0, null])
    expect(receiver.received.map(({ path, json }) => [path, json.event])).toEqual([
      ['/callbacks', 'transaction.failed'],
    ])
  } finally {
    await receiver.close()
  }
})

test('the report wraps in a terminal, and counts one warning as one', () => {
  const [row] = GOOD_ROWS
  const report = new TextReport(new Painter(false), 60)
  const lines = report.judged({ row: row!, verdict: 'warning', did: 'answered 200', sent: [] }).join('\n').split('\n')
  expect(lines.filter((line) => line.length > 60)).toEqual([])
  expect(
    lines.filter((line) => /^ {4}(a correct receiver {2}|this one {12}|why {17}| {20})\S/.test(line)),
  ).toHaveLength(lines.length - 2)
  expect(report.totals([{ row: row!, verdict: 'warning', did: '', sent: [] }]).at(-1)).toBe(
    '0 right, 0 wrong, 1 warning',
  )
})
