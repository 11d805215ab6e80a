import { createSecureServer } from 'node:http2'
import { createServer as createTlsServer } from 'node:https'
import { buildConnector } from 'undici'
import { expect, test, vi } from 'vitest'
import { listen, listenHttp } from '../outbound/testing/hostile-network.ts'
import type { OutboundNetwork } from '../outbound/outbound-guard.ts'
import { selfSigned } from '../outbound/testing/test-certificate.ts'
import { TIMEOUT_MS, started, rawServer, sendTo } from './testing/sending.ts'

/** Every name resolves to loopback; `ca` is the only trusted authority. */
const trusting = (ca?: string): OutboundNetwork => ({
  lookup: (_hostname, _options, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }]),
  buildConnector: (options) => buildConnector({ ...options, ...(ca !== undefined && { ca }) }),
})

const tlsServer = async (certificate: { key: string; cert: string }) => {
  let arrived = 0
  const server = await started(
    listen(
      createTlsServer(certificate, (_request, response) => {
        arrived += 1
        response.end('ok')
      }),
    ),
  )
  return { ...server, url: `https://shop.example:${server.port}/`, arrived: () => arrived }
}

test('HTTP/2 is not used, even where the server prefers it', async () => {
  const certificate = selfSigned('shop.example')
  const server = await started(
    listen(
      createSecureServer({ ...certificate, allowHTTP1: true }, ({ httpVersion }, response) =>
        response.end(httpVersion),
      ),
    ),
  )
  expect(
    await sendTo(server, { url: `https://shop.example:${server.port}/`, network: trusting(certificate.cert) }),
  ).toMatchObject({ httpStatus: 200, replyExcerpt: '1.1' })
})

const yesterday = new Date(Date.now() - 24 * 3600 * 1000)
const theDayBefore = new Date(Date.now() - 48 * 3600 * 1000)

test('https accepts a trusted, valid certificate of the right name', async () => {
  const certificate = selfSigned('shop.example')
  const server = await tlsServer(certificate)
  expect(await sendTo(server, { url: server.url, network: trusting(certificate.cert) })).toMatchObject({
    httpStatus: 200,
    replyExcerpt: 'ok',
  })
})

// Private addresses are allowed here as well.
test.each([
  ['self-signed', selfSigned('shop.example'), false, 'DEPTH_ZERO_SELF_SIGNED_CERT'],
  ['expired', selfSigned('shop.example', { notBefore: theDayBefore, notAfter: yesterday }), true, 'CERT_HAS_EXPIRED'],
  ['of another name', selfSigned('other.example'), true, 'ERR_TLS_CERT_ALTNAME_INVALID'],
])(
  'a certificate that is %s fails even if the environment turns TLS checks off',
  async (_what, certificate, trusted, code) => {
    const server = await tlsServer(certificate)
    for (const switchedOff of [undefined, '0']) {
      vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', switchedOff)
      expect(
        (
          await sendTo(server, {
            url: server.url,
            network: trusting(trusted ? certificate.cert : undefined),
          })
        ).error,
      ).toBe(`the TLS certificate is not valid (${code})`)
    }
    vi.unstubAllEnvs()
    expect(server.arrived()).toBe(0)
  },
)

test('http where https is expected is a failed handshake', async () => {
  const server = await started(listenHttp((_request, response) => response.end()))
  expect((await sendTo(server, { url: `https://shop.example:${server.port}/`, network: trusting() })).error).toBe(
    'the TLS handshake failed',
  )
})

test('gives up a stalled TLS handshake at the timeout; its socket ends with the sender', async () => {
  const server = await rawServer(() => {})
  const { error } = await sendTo(server, {
    url: `https://shop.example:${server.port}/`,
    network: trusting(),
    timeoutMs: TIMEOUT_MS,
  })
  expect(error).toBe('no reply within 0.4 s')
})
