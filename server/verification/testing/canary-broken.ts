import { connect } from 'node:net'
import type { Canaries } from './canary.ts'
import { validRequests } from './canary-places.ts'
import type { Text } from './canary-scan.ts'
import { sendRequest, headersOf, replyText, type CanaryRequest, type Traffic } from './canary-traffic.ts'

interface PlantedSecrets {
  readonly key: string
  readonly card: string
  readonly otp: string
}

const plant = (canaries: Canaries, place: string): PlantedSecrets => ({
  key: canaries.plant('secret', place),
  card: canaries.plant('card', place),
  otp: canaries.plant('otp', place),
})

/** Changes to a valid request; its own path, method and headers are the defaults. */
interface Change extends CanaryRequest {
  readonly using?: string
  readonly at?: string
}
type Break = readonly [
  place: string,
  change: (planted: PlantedSecrets, path: string, headers: Readonly<Record<string, string>>) => Change,
]

/** Ways to break any request. */
const BREAKS: readonly Break[] = [
  [
    'secrets in the query',
    ({ key, card, otp }, path) => ({ at: `${path}?secret-key=${key}&card_cipher=${card}&otp=${otp}` }),
  ],
  [
    'wrong method',
    ({ key, card, otp }, path) => ({ using: 'DELETE', at: `${path}?${key}=${card}`, body: `{"otp":${otp}}` }),
  ],
  ['unknown path', ({ key, card, otp }, path) => ({ at: `${path}/${key}/${card}?otp=${otp}` })],
  ['malformed percent-encoding', ({ key, card }, path) => ({ at: `${path}%zz${key}%/${card}` })],
  [
    'undeclared headers',
    ({ key, card, otp }, _path, headers) => ({
      headers: {
        ...headers,
        authorization: `Bearer ${key}`,
        cookie: `card=${card}`,
        'x-request-id': key,
        traceparent: card,
        referer: `https://shop.example/?otp=${otp}`,
        'user-agent': card,
        'x-forwarded-for': otp,
      },
    }),
  ],
  [
    'wrong keys',
    ({ key, card }, _path, headers) => ({ headers: { ...headers, 'secret-key': key, 'public-key': card } }),
  ],
]

/** Ways to break a request with a body. */
const BODY_BREAKS: readonly Break[] = [
  ['malformed JSON', ({ key, card, otp }) => ({ body: `{"description":"${key}","card_cipher":${card}x,"otp":${otp}` })],
  ['JSON that is no object', ({ key, card, otp }) => ({ body: JSON.stringify([key, card, otp]) })],
  [
    'wrong media type',
    ({ key, card, otp }, _path, headers) => ({
      headers: { ...headers, 'content-type': `text/${key}` },
      body: `card=${card}&otp=${otp}`,
    }),
  ],
  [
    'content coding',
    ({ key, card }, _path, headers) => ({ headers: { ...headers, 'content-encoding': key }, body: card }),
  ],
  [
    'too large',
    ({ key, card, otp }) => ({ body: JSON.stringify({ card_cipher: `${key} ${card} ${otp} `.repeat(2_000) }) }),
  ],
]

/** Bytes that are no request of this API, or no request at all. */
const LINES: readonly (readonly [place: string, bytes: (planted: PlantedSecrets) => string])[] = [
  ['no HTTP', ({ key, card }) => `GET /${key} HTTP/9.9 ${card}\r\n\r\n`],
  ['malformed header', ({ key, card }) => `GET / HTTP/1.1\r\nhost: x\r\nsecret key ${key}\r\ncard: ${card}\r\n\r\n`],
  [
    'headers too large',
    ({ key, card }) => `GET / HTTP/1.1\r\nhost: x\r\nsecret-key: ${`${key}${card}`.repeat(1_000)}\r\n\r\n`,
  ],
  ['no Host', ({ key }) => `GET /?secret-key=${key} HTTP/1.1\r\n\r\n`],
  ['CONNECT', ({ key }) => `CONNECT ${key}.example:443 HTTP/1.1\r\nhost: x\r\n\r\n`],
  [
    'unknown expectation',
    ({ key, card }) =>
      `POST /collections/initialize HTTP/1.1\r\nhost: x\r\nexpect: ${key}\r\ncontent-length: 16\r\n\r\n${card}`,
  ],
  [
    'unknown upgrade',
    ({ key, card }) => `GET /docs?${card} HTTP/1.1\r\nhost: x\r\nconnection: upgrade, close\r\nupgrade: ${key}\r\n\r\n`,
  ],
  [
    'path longer than a reference',
    ({ key, card }) => `GET /pay/collection/${key}${card.repeat(200)} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`,
  ],
  ['unknown path', ({ key, card }) => `GET /${key}/${card} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`],
  [
    'inbox message that does not exist',
    ({ key }) => `GET /sandbox/inbox/${key} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`,
  ],
]

/** Requests that break before, beside or beyond the fields of the contract. */
export async function sendBroken(traffic: Traffic): Promise<Text[]> {
  const texts: Text[] = []
  const broken = async (place: string, send: (planted: PlantedSecrets) => Promise<string>) =>
    void texts.push({ where: `reply to ${place}`, text: await send(plant(traffic.canaries, place)) })
  const headers = headersOf(traffic)
  for (const { name, method, path: template } of validRequests) {
    const path = template.replace(/\{[^}]+\}/, 'SOME-REFERENCE')
    const hasBody = method === 'POST'
    for (const [place, change] of hasBody ? [...BREAKS, ...BODY_BREAKS] : BREAKS)
      await broken(`${name} ${place}`, (planted) => {
        const { using = method, at = path, ...rest } = change(planted, path, headers)
        // A reply may be cut off with its connection: then there is none.
        return sendRequest(traffic, using, at, { headers, ...(hasBody && { body: '{}' }), ...rest })
          .then(replyText)
          .catch(String)
      })
    if (hasBody) await broken(`${name} broken off`, (planted) => brokenOff(traffic, path, planted))
  }
  for (const [place, bytes] of LINES) await broken(place, (planted) => raw(traffic, bytes(planted)))
  return texts
}

const brokenOff = (traffic: Traffic, path: string, { key, card }: PlantedSecrets): Promise<string> =>
  raw(
    traffic,
    `POST ${path} HTTP/1.1\r\nhost: x\r\npublic-key: ${traffic.keys.publicKey}\r\nsecret-key: ${traffic.keys.secretKey}\r\nx-api-version: 1\r\ncontent-type: application/json\r\ncontent-length: 9000\r\n\r\n{"${key}":"${card}`,
    { cut: true },
  )

/** Raw bytes, which a client library would never send. */
function raw({ url }: Traffic, text: string, { cut = false } = {}): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => {
      if (cut) socket.write(text, () => setImmediate(() => socket.resetAndDestroy()))
      else socket.end(text)
    })
    socket
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('error', () => undefined)
      .on('close', () => resolve(Buffer.concat(chunks).toString('latin1')))
  })
}
