import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { listen } from './listen.ts'
import { startProxy } from './proxy.ts'
import { createUnanswered } from './unanswered.ts'

test('cuts and reports a request that gets no reply, and passes on the others', async () => {
  // It answers everything but payouts; of lists it sends a byte now and then, and never the last one.
  const server = await listen(
    createServer(({ url = '' }, response) => {
      if (url.startsWith('/payouts')) return
      if (url !== '/lists') return void response.end('{}')
      const dripping = setInterval(() => response.write(' '), 20)
      response.on('close', () => clearInterval(dripping))
    }),
  )
  onTestFinished(() => server.close())
  const unanswered = createUnanswered(server.url)
  const proxy = await startProxy({ to: server.url, timeoutMs: 200, onUnanswered: unanswered.note })
  onTestFinished(() => proxy.close())
  const request = { method: 'POST', headers: { 'secret-key': 'sec_1' }, body: '{}' }
  for (const path of ['/payouts/MREF0001', '/payouts/MREF0002', '/lists'])
    await expect(fetch(proxy.url + path, request)).rejects.toThrow('fetch failed')
  expect((await fetch(`${proxy.url}/verify`)).status).toBe(200)
  const findings = unanswered.findings((text, asVariable = (name) => `$${name}`) =>
    text.replaceAll('sec_1', asVariable('SECRET_KEY')),
  )
  expect(findings).toMatchObject([
    { about: 'POST /payouts/…', times: 2, curl: expect.stringContaining('"$SECRET_KEY"') as string },
    { about: 'POST /lists', times: 1 },
  ])
  expect(findings[0]!.what).toBe(
    'POST /payouts/MREF0001 was sent, and no whole reply came within 10 s (2 times); the run went on without it',
  )
})
