import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { request } from 'undici'
import { expect, test } from 'vitest'
import { checkOutboundUrl, guardedAgent, LIVE_POLICY, SANDBOX_POLICY } from './outbound-guard.ts'

test.each([
  'http://shop.example/', 'ftp://shop.example/', 'https://user:pass@shop.example/', 'https://', 'not a url', `https://shop.example/${'x'.repeat(2048)}`,
  'https://127.0.0.1/', 'https://2130706433/', 'https://0x7f.1/', 'https://0177.0.0.1/', 'https://127.1/', 'https://10.0.0.1/', 'https://172.16.0.1/', 'https://192.168.1.1/',
  'https://169.254.169.254/', 'https://100.64.0.1/', 'https://0.0.0.0/', 'https://224.0.0.1/', 'https://255.255.255.255/',
  'https://[::1]/', 'https://[::]/', 'https://[::ffff:127.0.0.1]/', 'https://[fe80::1]/', 'https://[fd00::1]/', 'https://[64:ff9b::7f00:1]/', 'https://[2002:7f00:1::]/', 'https://[2001:0:7f00:1::]/',
])('live mode refuses %s', (url) => expect(() => checkOutboundUrl(url, LIVE_POLICY)).toThrow())

test.each(['https://shop.example/callbacks?x=1', 'https://8.8.8.8/', 'https://[2606:4700::1111]/', 'https://shop.example:8443/'])('live mode allows %s', (url) => {
  expect(checkOutboundUrl(url, LIVE_POLICY).href).toBe(new URL(url).href)
})

test.each(['http://127.0.0.1:3000/callbacks', 'http://localhost/', 'https://192.168.1.1/'])('sandbox mode also allows %s', (url) => {
  expect(() => checkOutboundUrl(url, SANDBOX_POLICY)).not.toThrow()
})

test('a name that leads to this machine is refused when it is connected to, and nothing arrives', async () => {
  let arrived = 0
  const server = createServer((_request, response) => {
    arrived += 1
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://localhost:${(server.address() as AddressInfo).port}/`
  const [live, sandbox] = [guardedAgent(LIVE_POLICY), guardedAgent(SANDBOX_POLICY)]
  try {
    await expect(request(url, { dispatcher: live })).rejects.toThrow('The host is not a public address')
    expect(arrived).toBe(0)
    expect((await request(url, { dispatcher: sandbox })).statusCode).toBe(200)
    expect(arrived).toBe(1)
  } finally {
    await Promise.all([live.destroy(), sandbox.destroy()])
    server.close()
  }
})
