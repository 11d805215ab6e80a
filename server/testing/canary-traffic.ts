import { connect } from 'node:net'
import { present } from '../domain/present.ts'
import type { Canaries } from './canary.ts'
import { planted, validRequests, type PlantedRequest } from './canary-places.ts'
import type { Text } from './canary-scan.ts'
import { mobileMoneyCollection, uniqueReference } from './requests.ts'

/** Who sends, and where to. */
export interface Traffic {
  readonly url: string
  readonly keys: { readonly publicKey: string; readonly secretKey: string }
  readonly canaries: Canaries
}

interface Asked {
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

const headersOf = ({ keys }: Traffic): Record<string, string> => ({
  'public-key': keys.publicKey,
  'secret-key': keys.secretKey,
  'x-api-version': '1',
  'content-type': 'application/json',
})

async function ask({ url }: Traffic, method: string, path: string, { headers = {}, body }: Asked): Promise<Response> {
  return fetch(url + path, { method, headers, redirect: 'manual', ...(body !== undefined && { body }) })
}

/** All that comes back: status, headers, body. */
async function replyText(response: Response): Promise<string> {
  return `${response.status}\n${[...response.headers].join('\n')}\n\n${await response.text()}`
}

/**
 * Sends a request of the contract with its canary. Everything else in it is valid, and it is the first of its reference
 * and key.
 */
export async function sendPlanted(
  traffic: Traffic,
  { place, request, headers, path, query, body }: PlantedRequest,
): Promise<Text> {
  const fresh = {
    ...(body?.merchant_reference !== undefined &&
      !place.includes('body merchant_reference') && { merchant_reference: uniqueReference() }),
    ...(request.operationId === 'authorizeCollection' &&
      !place.includes('body internal_reference') && { internal_reference: await waitingForOtp(traffic) }),
  }
  const response = await ask(traffic, request.method, query === '' ? path : `${path}?${query}`, {
    headers: { ...headersOf(traffic), ...(body && { 'Idempotency-Key': uniqueReference() }), ...headers },
    ...(body && { body: JSON.stringify({ ...body, ...fresh }) }),
  })
  return { where: `reply to ${place}`, text: await replyText(response) }
}

/** A collection that asks for a one-time password. @returns its internal reference */
export async function waitingForOtp(traffic: Traffic): Promise<string> {
  const response = await ask(traffic, 'POST', '/collections/initialize', {
    headers: headersOf(traffic),
    body: JSON.stringify(mobileMoneyCollection({ msisdn: '256772000005' })),
  })
  return internalReference(response)
}

async function internalReference(response: Response): Promise<string> {
  const { data } = JSON.parse(await response.text()) as { data: { internal_reference: string } }
  return data.internal_reference
}

/** Requests that break before, beside or beyond the fields of the contract. */
export async function sendBroken(traffic: Traffic): Promise<Text[]> {
  const { canaries } = traffic
  const texts: Text[] = []
  const plant = (place: string) => ({
    key: canaries.plant('secret', place),
    card: canaries.plant('card', place),
    otp: canaries.plant('otp', place),
  })
  const broken = async (place: string, send: (planted: ReturnType<typeof plant>) => Promise<string>) =>
    void texts.push({ where: `reply to ${place}`, text: await send(plant(place)) })
  for (const { name, method, path: template } of validRequests) {
    const path = template.replace(/\{[^}]+\}/, 'SOME-REFERENCE')
    // A reply may be cut off with its connection: what came of it is none.
    const asked = ({
      using = method,
      at = path,
      ...rest
    }: Asked & { readonly using?: string; readonly at?: string }): Promise<string> =>
      ask(traffic, using, at, { headers: headersOf(traffic), ...rest })
        .then(replyText)
        .catch(String)
    const emptyBody = method === 'POST' ? { body: '{}' } : {}
    await broken(`${name} secrets in the query`, ({ key, card, otp }) =>
      asked({ at: `${path}?secret-key=${key}&card_cipher=${card}&otp=${otp}`, ...emptyBody }),
    )
    await broken(`${name} wrong method`, ({ key, card, otp }) =>
      asked({ using: 'DELETE', at: `${path}?${key}=${card}`, body: `{"otp":${otp}}` }),
    )
    await broken(`${name} unknown path`, ({ key, card, otp }) =>
      asked({ at: `${path}/${key}/${card}?otp=${otp}`, ...emptyBody }),
    )
    await broken(`${name} malformed percent-encoding`, ({ key, card }) =>
      asked({ at: `${path}%zz${key}%/${card}`, ...emptyBody }),
    )
    await broken(`${name} undeclared headers`, ({ key, card, otp }) =>
      asked({
        headers: {
          ...headersOf(traffic),
          authorization: `Bearer ${key}`,
          cookie: `card=${card}`,
          'x-request-id': key,
          traceparent: card,
          referer: `https://shop.example/?otp=${otp}`,
          'user-agent': card,
          'x-forwarded-for': otp,
        },
        ...emptyBody,
      }),
    )
    await broken(`${name} wrong keys`, ({ key, card }) =>
      asked({ headers: { ...headersOf(traffic), 'secret-key': key, 'public-key': card }, ...emptyBody }),
    )
    if (method !== 'POST') continue
    await broken(`${name} malformed JSON`, ({ key, card, otp }) =>
      asked({ body: `{"description":"${key}","card_cipher":${card}x,"otp":${otp}` }),
    )
    await broken(`${name} JSON that is no object`, ({ key, card, otp }) =>
      asked({ body: JSON.stringify([key, card, otp]) }),
    )
    await broken(`${name} wrong media type`, ({ key, card, otp }) =>
      asked({ headers: { ...headersOf(traffic), 'content-type': `text/${key}` }, body: `card=${card}&otp=${otp}` }),
    )
    await broken(`${name} content coding`, ({ key, card }) =>
      asked({ headers: { ...headersOf(traffic), 'content-encoding': key }, body: card }),
    )
    await broken(`${name} too large`, ({ key, card, otp }) =>
      asked({ body: JSON.stringify({ card_cipher: `${key} ${card} ${otp} `.repeat(2_000) }) }),
    )
    await broken(`${name} broken off`, ({ key, card }) =>
      raw(
        traffic,
        `POST ${path} HTTP/1.1\r\nhost: x\r\npublic-key: ${traffic.keys.publicKey}\r\nsecret-key: ${traffic.keys.secretKey}\r\nx-api-version: 1\r\ncontent-type: application/json\r\ncontent-length: 9000\r\n\r\n{"${key}":"${card}`,
        { cut: true },
      ),
    )
  }
  const lines: readonly (readonly [string, (planted: ReturnType<typeof plant>) => string])[] = [
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
      ({ key, card }) =>
        `GET /docs?${card} HTTP/1.1\r\nhost: x\r\nconnection: upgrade, close\r\nupgrade: ${key}\r\n\r\n`,
    ],
    [
      'path longer than a reference',
      ({ key, card }) =>
        `GET /pay/collection/${key}${card.repeat(200)} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`,
    ],
    ['unknown path', ({ key, card }) => `GET /${key}/${card} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`],
    [
      'inbox message that does not exist',
      ({ key }) => `GET /sandbox/inbox/${key} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`,
    ],
  ]
  for (const [place, text] of lines) await broken(place, (planted) => raw(traffic, text(planted)))
  return texts
}

/** Bytes as they are; what a client library would never send. */
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

/** The payment page's forms: right, wrong, and with the right thing in the wrong field. */
export async function sendForms(traffic: Traffic): Promise<Text[]> {
  const { canaries } = traffic
  const texts: Text[] = []
  const byBank = validRequests.find(({ name }) => name.endsWith('collection_bank'))?.body
  const post = async (
    place: string,
    path: string,
    fields: Readonly<Record<string, string>>,
    headers: Readonly<Record<string, string>> = {},
  ) => {
    const response = await ask(traffic, 'POST', path, {
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: new URLSearchParams(fields).toString(),
    })
    texts.push({ where: `reply to page ${place}`, text: await replyText(response) })
  }
  const start = async (body: object) => {
    const reference = await internalReference(
      await ask(traffic, 'POST', '/collections/initialize', {
        headers: headersOf(traffic),
        body: JSON.stringify({ ...body, merchant_reference: uniqueReference() }),
      }),
    )
    const path = `/pay/collection/${reference}`
    const page = await ask(traffic, 'GET', path, {})
    const [cookie = ''] = present(page.headers.get('set-cookie'), 'the cookie of a page').split(';', 1)
    const [, token] = /name="?token"? value="?([^"> ]+)/.exec(await page.text()) ?? []
    return { path, cookie, token: present(token, 'the token of a page') }
  }
  const everyField = (place: string) => {
    const secret = canaries.plant('secret', place)
    return {
      otp: secret,
      bank_code: canaries.plant('otp', place),
      account_number: secret,
      card_cipher: canaries.plant('card', place),
      [secret]: canaries.plant('card', place),
    }
  }
  for (const form of ['confirm', 'otp', 'otp/new', 'cancel']) {
    const { path, cookie, token } = await start(
      form.startsWith('otp')
        ? mobileMoneyCollection({ msisdn: '256772000005' })
        : present(byBank, 'the collection by bank'),
    )
    const at = `${path}/${form}`
    await post(`${form} without a token`, at, everyField(`page ${form} without a token`))
    await post(
      `${form} wrong token`,
      at,
      { ...everyField(`page ${form} wrong token`), token: canaries.plant('secret', `page ${form} wrong token`) },
      { cookie: `malipo_pay=${canaries.plant('card', `page ${form} wrong token`)}` },
    )
    await post(
      `${form} too large`,
      at,
      {
        token,
        otp: `${canaries.plant('secret', `page ${form} too large`)}${canaries.plant('card', `page ${form} too large`)}`.repeat(
          200,
        ),
      },
      { cookie },
    )
    await post(`${form} no form`, at, everyField(`page ${form} no form`), {
      cookie,
      'content-type': `text/${canaries.plant('secret', `page ${form} no form`)}`,
    })
    await post(
      `${form} foreign`,
      at,
      { ...everyField(`page ${form} foreign`), token },
      { cookie, origin: `https://${canaries.plant('secret', `page ${form} foreign`)}.example` },
    )
    await post(
      `${form} wrong fields`,
      `${at}?otp=${canaries.plant('otp', `page ${form} wrong fields`)}`,
      { ...everyField(`page ${form} wrong fields`), token },
      { cookie },
    )
    if (form === 'otp') {
      await post('otp wrong', at, { token, otp: '918273' }, { cookie })
      await post('otp right', at, { token, otp: '123456' }, { cookie })
    }
    if (form === 'confirm')
      await post(
        'confirm account',
        at,
        { token, bank_code: 'access_bank_ng', account_number: canaries.plant('card', 'page confirm account_number') },
        { cookie },
      )
    const from = canaries.plant('secret', `page ${form} query`)
    for (const address of [`${path}?from=${from}&${from}`, `${path}/status?${from}`, `${at}?${from}`])
      texts.push({
        where: `reply to page ${form} query`,
        text: await replyText(await ask(traffic, 'GET', address, {})),
      })
  }
  return texts
}

/** One-time passwords through the API: wrong, right, and the same key again. */
export async function sendOtps(traffic: Traffic): Promise<Text[]> {
  const authorize = present(
    validRequests.find(({ operationId }) => operationId === 'authorizeCollection'),
    'a request of authorizeCollection',
  )
  const { canaries } = traffic
  const texts: Text[] = []
  const internal_reference = await waitingForOtp(traffic)
  for (const [place, otp] of [
    ['wrong otp', Number(canaries.plant('otp', 'wrong otp'))],
    ['right otp', 123_456],
    ['right otp again', 123_456],
  ] as const) {
    const key = place.replace(' again', '').replace(' ', '-') + internal_reference
    const request = planted(authorize, place, { body: { internal_reference, otp } })
    const response = await ask(traffic, 'POST', request.path, {
      headers: { ...headersOf(traffic), 'idempotency-key': key },
      body: JSON.stringify(request.body),
    })
    texts.push({ where: `reply to ${place}`, text: await replyText(response) })
  }
  return texts
}
