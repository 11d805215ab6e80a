import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { withProgress, type Progress } from './progress.ts'
import { read } from './verification/testing/source-tree.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }))
afterEach(() => void vi.useRealTimers())

async function written(
  ms: number,
  { isTTY = true, columns = 80, run = async (): Promise<unknown> => undefined } = {},
  then: (progress: Progress) => void = () => undefined,
): Promise<string[]> {
  const texts: string[] = []
  const terminal = { isTTY, columns, write: (text: string) => void texts.push(text) }
  await withProgress(
    'importing the statement',
    async (progress) => {
      vi.advanceTimersByTime(ms)
      then(progress)
      await run()
    },
    terminal,
  ).catch(() => undefined)
  vi.advanceTimersByTime(10_000)
  return texts
}
const CLEARED = '\r\u001B[K'

test('shows one line after two seconds, and removes it at the end', async () => {
  expect(await written(2_500)).toEqual([
    `${CLEARED}importing the statement … 2 s`,
    `${CLEARED}importing the statement … 2 s`,
    CLEARED,
  ])
})

test.each([
  ['to a pipe', 60_000, { isTTY: false }],
  ['for what is quick', 1_900, {}],
])('writes nothing %s', async (_why, ms, terminal) => {
  expect(await written(ms, terminal)).toEqual([])
})

test('removes the line when the command fails', async () => {
  const run = async (): Promise<never> => {
    throw new Error('no')
  }
  expect((await written(2_000, { run })).at(-1)).toBe(CLEARED)
})

test('never breaks into a second line', async () => {
  const [line = ''] = await written(2_000, { columns: 12 })
  expect(line).toBe(`${CLEARED}importing t`)
})

test('names the current step, and makes way for output', async () => {
  const texts = await written(2_000, {}, (progress) => {
    progress.clear()
    progress.at('booking')
    vi.advanceTimersByTime(500)
  })
  expect(texts).toEqual([`${CLEARED}importing the statement … 2 s`, CLEARED, `${CLEARED}booking … 2 s`, CLEARED])
})

test('keeps no process alive', async () => {
  vi.useRealTimers()
  const terminal = { isTTY: true, write: () => undefined }
  const before = process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
  const running = withProgress('waiting', () => delay(20), terminal)
  expect(process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length).toBe(before + 1)
  await running
})

test.each([
  'admin/cli/statement.ts',
  'admin/cli/archive.ts',
  'admin/cli/doctor.ts',
  'admin/cli/migrate.ts',
  'admin/cli/reconcile-run.ts',
  'verification/simulation/cli.ts',
  'verification/chaos/cli.ts',
])('%s shows progress', (file) => {
  expect(read(`server/${file}`)).toMatch(/\bwithProgress\(/)
})
