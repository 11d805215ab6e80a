import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import type { ClockMessage } from './skewed-clock.ts'

const PRELOAD = new URL('skewed-clock.ts', import.meta.url).href
const HOUR_MS = 3_600_000
/** Prints the time by every API there is, now and after each message. */
const REPORT = `
  const others = () => [new Date(0).getTime(), new Date() instanceof Date, Date.UTC(2026, 0)]
  const tell = () => process.send([Date.now(), new Date().getTime(), Date.parse(Date()), ...others()])
  setInterval(() => undefined, 1000)
  process.on('message', tell)
  tell()`

test('a process has a clock of its own from its start, and when it is set anew', async () => {
  const child = spawn(
    process.execPath,
    ['--import', `${PRELOAD}?offset=${HOUR_MS}`, '--input-type=module', '--eval', REPORT],
    { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
  )
  const reported = async () => {
    const [[now, made, written, ...others]] = (await once(child, 'message')) as [[number, number, number, ...unknown[]]]
    const hours = [now, made, written].map((ms) => Math.round((ms - Date.now()) / HOUR_MS))
    expect(others).toEqual([0, true, Date.UTC(2026, 0)])
    return hours
  }
  try {
    expect(await reported()).toEqual([1, 1, 1])
    child.send({ offsetMs: -HOUR_MS } satisfies ClockMessage)
    expect(await reported()).toEqual([-1, -1, -1])
  } finally {
    child.kill('SIGKILL')
  }
})
