import { onTestFinished, expect, test } from 'vitest'
import { startScriptedOperator, type ScriptedOperator } from './scripted-operator.ts'

async function operator(): Promise<ScriptedOperator> {
  const started = await startScriptedOperator()
  onTestFinished(() => started.close())
  return started
}

test('replies of a route come in order, the last one for ever', async () => {
  const { url, on } = await operator()
  on('GET /orders/{id}', { status: 200, body: { status: 'PENDING' } }, 404)
  const replies = []
  for (const id of ['a', 'b', 'c']) replies.push(await fetch(`${url}/orders/${id}`))
  expect(replies.map(({ status }) => status)).toEqual([200, 404, 404])
  expect(await replies[0]?.json()).toEqual({ status: 'PENDING' })
})

test('keeps requests whole, and finds them by their route', async () => {
  const scripted = await operator()
  scripted.on('POST /orders', 202)
  await fetch(`${scripted.url}/orders?dry=1`, { method: 'POST', body: '{"amount":"5"}', headers: { 'X-Id': '7' } })
  await fetch(`${scripted.url}/orders/1`)
  const [request] = scripted.requestsTo('POST /orders')
  expect(request?.json()).toEqual({ amount: '5' })
  expect([request?.headers['x-id'], request?.query.get('dry')]).toEqual(['7', '1'])
  expect(scripted.requests).toHaveLength(2)
})

test('makes a reply from the request, and names a request without a script', async () => {
  const { url, on } = await operator()
  on('GET /echo/{word}', ({ path }) => ({ status: 200, body: path }))
  expect(await (await fetch(`${url}/echo/hi`)).text()).toBe('/echo/hi')
  const other = await fetch(`${url}/other`)
  expect([other.status, await other.text()]).toEqual([501, 'no script for GET /other'])
})

test.each(['close_before_reading', 'close_after_reading', { raw: 'nonsense\r\n\r\n' }] as const)(
  '%j: the operator has the request and no reply comes',
  async (answer) => {
    const { url, on, requests } = await operator()
    on('POST /orders', answer)
    await expect(fetch(`${url}/orders`, { method: 'POST', body: '{}' })).rejects.toThrow('fetch failed')
    expect(requests.map(({ body }) => body)).toEqual([answer === 'close_before_reading' ? '' : '{}'])
  },
)

test('a hanging or stalled reply lasts until the caller gives up', async () => {
  const { url, on } = await operator()
  on('GET /hang', 'hang')
  on('GET /stall', { status: 200, body: 'whole', delivery: 'stall' })
  await expect(fetch(`${url}/hang`, { signal: AbortSignal.timeout(50) })).rejects.toThrow('timeout')
  const stalled = await fetch(`${url}/stall`, { signal: AbortSignal.timeout(200) })
  await expect(stalled.text()).rejects.toThrow('timeout')
})

test('a truncated body breaks while it is read; chunked and dripping ones arrive', async () => {
  const { url, on } = await operator()
  on('GET /truncated', { status: 200, body: 'whole text', delivery: 'truncated' })
  on('GET /chunked', { status: 200, body: '<html>', headers: { 'content-type': 'text/html' }, delivery: 'chunked' })
  on('GET /drip', { status: 200, body: 'drip', delivery: 'drip', dripMs: 1 })
  await expect((await fetch(`${url}/truncated`)).text()).rejects.toThrow('terminated')
  const chunked = await fetch(`${url}/chunked`)
  expect([chunked.headers.get('content-length'), await chunked.text()]).toEqual([null, '<html>'])
  expect(await (await fetch(`${url}/drip`)).text()).toBe('drip')
})

test('a closed operator refuses connections, and can come back on its port', async () => {
  const first = await startScriptedOperator()
  await first.close()
  await expect(fetch(first.url)).rejects.toThrow('fetch failed')
  const again = await startScriptedOperator({ port: Number(new URL(first.url).port) })
  onTestFinished(() => again.close())
  expect(again.url).toBe(first.url)
})
