import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { present } from '../../../domain/present.ts'
import { until } from '../patience.ts'
import { service } from './service.ts'

function sleeping() {
  const launched: ChildProcess[] = []
  const one = service(() => {
    const child = spawn('sleep', ['600'])
    launched.push(child)
    return child
  })
  onTestFinished(() => one.kill())
  return { one, launched }
}

test('restarts a program that exits, and starts no running one twice', async () => {
  const { one, launched } = sleeping()
  one.start()
  one.start()
  expect(launched).toHaveLength(1)
  launched[0]?.kill()
  await until(async () => launched.length === 2, 60_000, 'it is started again')
})

test('a program that the drill has killed stays down until it is started', async () => {
  const { one, launched } = sleeping()
  one.start()
  const ended = once(present(launched[0], 'the program'), 'close')
  one.kill()
  await ended
  expect(launched).toHaveLength(1)
  one.start()
  expect(launched).toHaveLength(2)
})
