import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { databaseTest } from '../verification/testing/database-test.ts'
import { forFile } from '../verification/testing/for-file.ts'
import { LIVE_ENV, startTestGateway } from '../verification/testing/gateway.ts'
import { listening, type Listening } from '../verification/testing/listening.ts'
import { present } from '../domain/present.ts'

const { connection } = await databaseTest()

/** Below the ports that systems hand out, where the one before it could be the end of any connection. */
async function takenPort(port = 20_000 + (process.pid % 6_000) * 2): Promise<Listening> {
  try {
    await (await listening(createServer(), port - 1)).close()
    return await listening(createServer(), port)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    return await takenPort(port + 2)
  }
}

test('the sandbox serves the sign-in beside its port, or on a free one', async () => {
  const taken = await forFile(takenPort())
  const env = { MALIPO_ADMIN_PORT: 'next', MALIPO_CONSOLE_PORT: 'next', PORT: String(taken.port - 1) }
  const gateway = await startTestGateway({ connection, env })
  try {
    const { url } = present(gateway.admin, 'the sign-in')
    expect(url).toMatch(/^http:\/\/localhost:\d+$/)
    expect(url).not.toBe(`http://localhost:${taken.port}`)
    const merchants = present(gateway.console, 'the sign-in of merchants').url
    expect(merchants).not.toBe(url)
    for (const at of [url, merchants]) expect((await fetch(`${at}/sign-in`)).status).toBe(200)
  } finally {
    await gateway.stop()
  }
})

test('a worker serves none, and live mode none by default', async () => {
  const worker = await startTestGateway({
    connection,
    env: { MALIPO_ADMIN_PORT: 'next' },
    surroundings: { role: 'worker' },
  })
  expect(worker.admin).toBeUndefined()
  await worker.stop()
  const live = await databaseTest({ template: 'template0' })
  const gateway = await startTestGateway({
    connection: live.connection,
    env: { ...LIVE_ENV, MALIPO_ADMIN_PORT: '', MALIPO_CONSOLE_PORT: '' },
  })
  expect([gateway.admin, gateway.console]).toEqual([undefined, undefined])
  await gateway.stop()
})
