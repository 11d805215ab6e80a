import { createServer, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:https'
import { afterEach, describe, expect, test } from 'vitest'
import { buildConnector } from 'undici'
import { LIVE_POLICY, type OutboundNetwork } from '../../outbound/outbound-guard.ts'
import { answering, listen, listenHttp, playedInternet } from '../../outbound/testing/hostile-network.ts'
import type { HostileServer } from '../../outbound/testing/hostile-network.ts'
import { selfSigned } from '../../outbound/testing/test-certificate.ts'
import { createCircuit } from '../circuit.ts'
import { NoAnswer, NotSent } from '../operator-errors.ts'
import { sampleExchange, SECRET } from '../testing/sample-exchange.ts'
import type { ExchangeOptions } from './exchange.ts'

const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  await Promise.all(ends.splice(0).map((end) => end()))
})

type Sample = ReturnType<typeof sampleExchange>
const closed = (exchange: Sample): Sample => {
  ends.push(exchange.close)
  return exchange
}

/** An operator that sends these bytes in reply to every request, or runs the given function. */
async function operator(answer: string | ((socket: Socket) => void), more: Partial<ExchangeOptions> = {}) {
  const requests: string[] = []
  const server = await listen(
    createServer((socket) =>
      socket.on('data', (bytes: Buffer) => {
        requests.push(bytes.toString())
        if (typeof answer === 'string') socket.write(answer)
        else answer(socket)
      }),
    ),
  )
  ends.push(server.stop)
  return { ...closed(sampleExchange(`http://127.0.0.1:${server.port}`, more)), requests, server }
}

const http = (status: string, body = '', headers = 'content-type: application/json\r\n'): string =>
  `HTTP/1.1 ${status}\r\n${headers}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
const ORDER = '{"id":"1"}'
/** For operators that never reply: long enough for a busy machine to connect. */
const IMPATIENT = { headersMs: 300, totalMs: 60_000 }
const PATIENT = { headersMs: 60_000, totalMs: 60_000 }

test('returns a reply of the contract as it is, whatever its status', async () => {
  const { ask: query, outcomes, recorded } = await operator(http('404 Not Found', ORDER))
  const response = await query()
  expect([response.status, await response.json()]).toEqual([404, { id: '1' }])
  expect(outcomes()).toEqual(['refused'])
  expect(recorded).toMatchObject([
    { railAccount: 'mtn-ug', purpose: 'ask', orderId: 'o-1', method: 'GET', path: '/orders/1', status: 404 },
  ])
})

test('an empty reply says that it is empty', async () => {
  const { submit } = await operator('HTTP/1.1 202 Accepted\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n')
  const response = await submit()
  expect([response.status, response.headers.get('content-length'), await response.text()]).toEqual([202, '0', ''])
})

test('a POST without a body says that it has none', async () => {
  const { submit, requests } = await operator(http('202 Accepted', '', ''))
  await submit({})
  await submit({ body: '{"a":1}', headers: { 'content-type': 'application/json' } })
  expect(requests[0]).toMatch(/^content-length: 0\r$/m)
  expect(requests[1]).toMatch(/^content-length: 7\r$/m)
  expect(requests[1]).toMatch(/\r\n\r\n\{"a":1\}$/)
})

describe('a sent call without a reply of the contract has no reply', () => {
  const html = '<html>Bad gateway</html>'
  test.each<[string, string | ((socket: Socket) => void), RegExp]>([
    ['silence', () => {}, /^no reply within/],
    ['a connection that is cut', (socket) => socket.resetAndDestroy(), /^the connection failed|^the connection ended/],
    ['half a reply', (socket) => socket.end('HTTP/1.1 202 Accepted\r\ncontent-length: 10\r\n\r\n{"id'), /^the/],
    ['a reply that is no HTTP', (socket) => socket.end('SSH-2.0-OpenSSH\r\n'), /^the reply is not valid HTTP/],
    ['HTML', http('409 Conflict', html, 'content-type: text/html\r\n'), /breaks the contract: a content type/],
    ['HTML from a front', http('502 Bad Gateway', html, 'content-type: text/html\r\n'), /no status 502/],
    [
      'headers without end',
      (socket) => socket.write(`HTTP/1.1 202 Accepted\r\nx: ${'x'.repeat(20_000)}`),
      /headers of the reply are too long/,
    ],
  ])('%s', async (what, answer, message) => {
    const times = what === 'silence' ? IMPATIENT : PATIENT
    const { submit, requests, recorded, reported } = await operator(answer, { times })
    const error: unknown = await submit().catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(NoAnswer)
    expect((error as Error).message).toMatch(message)
    await expect.poll(() => requests).toHaveLength(1)
    expect(recorded).toMatchObject([{ purpose: 'submit', error: (error as Error).message }])
    const { status } = recorded[0] ?? {}
    const unreadable = status !== undefined && status >= 500 ? 'server_error' : 'broke_contract'
    expect(reported).toMatchObject([{ outcome: status === undefined ? 'no_answer' : unreadable }])
  })

  test('a drip that never ends', async () => {
    const drips = (socket: Socket): void => {
      socket.write('HTTP/1.1 202 Accepted\r\n\r\n')
      const drip = setInterval(() => socket.write(' '), 20)
      socket.on('close', () => clearInterval(drip))
    }
    const { submit, server } = await operator(drips, { times: { totalMs: 2_000 } })
    await expect(submit()).rejects.toThrow(new NoAnswer('no reply within 2 s'))
    await expect.poll(() => server.connections()).toBe(0)
  })

  test('a reply without end', async () => {
    const { submit, server } = await operator((socket) => {
      socket.write('HTTP/1.1 202 Accepted\r\n\r\n')
      const fill = (): void => {
        while (!socket.destroyed && socket.write('x'.repeat(64 * 1024)));
      }
      socket.on('drain', fill)
      fill()
    })
    await expect(submit()).rejects.toThrow(new NoAnswer('the reply is larger than 256 kB'))
    await expect.poll(() => server.connections()).toBe(0)
  })

  test('what hangs when the exchange is closed', async () => {
    const { submit, close, requests } = await operator(() => {}, { times: { headersMs: 60_000, totalMs: 60_000 } })
    const hanging = submit()
    const reported = expect(hanging).rejects.toThrow(NoAnswer)
    await expect.poll(() => requests).toHaveLength(1)
    await close()
    await reported
  })
})

describe('a call that certainly reached nobody is not sent', () => {
  const unused = async (): Promise<string> => {
    const server = await listenHttp(() => {})
    await server.stop()
    return `http://127.0.0.1:${server.port}`
  }
  const notSent = async ({
    submit,
    reported,
    requests = [],
  }: Pick<Sample, 'submit' | 'reported'> & { requests?: string[] }) => {
    const error: unknown = await submit().catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(NotSent)
    expect(reported.map(({ outcome }) => outcome)).toEqual(['not_sent'])
    expect(requests).toEqual([])
    return (error as Error).message
  }

  test('nobody listens', async () => {
    const exchange = closed(sampleExchange(await unused()))
    expect(await notSent(exchange)).toBe('the connection failed (ECONNREFUSED)')
    expect(exchange.recorded).toMatchObject([{ purpose: 'submit', error: 'the connection failed (ECONNREFUSED)' }])
  })

  test('the name is not known', async () => {
    const network: OutboundNetwork = { lookup: answering({}).lookup, buildConnector }
    expect(await notSent(closed(sampleExchange('http://operator.example', { network })))).toBe(
      'the name of the host was not found',
    )
  })

  test('the TLS handshake never ends', async () => {
    const silent = await listen(createServer(() => {}))
    ends.push(silent.stop)
    const times = { connectMs: 100, headersMs: 60_000, totalMs: 60_000 }
    const exchange = closed(sampleExchange(`https://127.0.0.1:${silent.port}`, { times }))
    expect(await notSent(exchange)).toBe('the connection timed out')
  })

  test('a connection that comes too late carries nothing', async () => {
    const held: (() => void)[] = []
    const network: OutboundNetwork = {
      lookup: answering({ 'operator.example': [['127.0.0.1']] }).lookup,
      buildConnector: (options) => (target, connected) => {
        held.push(() => buildConnector(options)(target, connected))
      },
    }
    const { server, requests } = await operator(http('202 Accepted', '', ''))
    const exchange = closed(
      sampleExchange(`http://operator.example:${server.port}`, { network, times: { totalMs: 200 } }),
    )
    expect(await notSent({ ...exchange, requests })).toBe('no reply within 0.2 s')
    for (const connect of held) connect()
    await expect.poll(() => server.connections()).toBe(1)
    await exchange.close()
    await expect.poll(() => server.connections()).toBe(0)
    expect(requests).toEqual([])
  })

  test('the certificate is not trusted', async () => {
    const certificate = selfSigned('operator.example')
    const requests: string[] = []
    const server = await listen(
      createTlsServer(certificate, (_request, response) => void requests.push(response.end('') && 'x')),
    )
    ends.push(server.stop)
    const network: OutboundNetwork = {
      lookup: answering({ 'operator.example': [['127.0.0.1']] }).lookup,
      buildConnector,
    }
    const exchange = closed(sampleExchange(`https://operator.example:${server.port}`, { network }))
    expect(await notSent({ ...exchange, requests })).toBe(
      'the TLS certificate is not valid (DEPTH_ZERO_SELF_SIGNED_CERT)',
    )
  })

  test.each([
    ['another host', 'http://localhost:PORT/base/orders'],
    ['another port', 'http://127.0.0.1:1024/base/orders'],
    ['another scheme', 'https://127.0.0.1:PORT/base/orders'],
    ['a path beside the base', 'http://127.0.0.1:PORT/basement/orders'],
    ['a path out of the base', 'http://127.0.0.1:PORT/base/../orders'],
    ['the base alone', 'http://127.0.0.1:PORT/base'],
  ])('%s', async (_what, url) => {
    const { server, requests } = await operator(http('202 Accepted', '', ''))
    const exchange = closed(sampleExchange(`http://127.0.0.1:${server.port}/base`))
    const request = new Request(url.replace('PORT', String(server.port)), { method: 'POST', body: '{}' })
    await expect(exchange.fetchFor({ purpose: 'submit' })(request)).rejects.toThrow(
      new NotSent('the call does not go to the address of the rail account'),
    )
    expect([exchange.outcomes(), requests]).toEqual([['not_sent'], []])
  })

  test('a call that the contract does not have', async () => {
    const { submit, requests } = await operator(http('202 Accepted', '', ''))
    await expect(submit(undefined, '/payments')).rejects.toThrow(
      new NotSent('the operator’s contract has no such call'),
    )
    expect(requests).toEqual([])
  })

  test('in live mode, http and what is not public', async () => {
    const { server, requests } = await operator(http('202 Accepted', '', ''))
    const inLive = (baseUrl: string, answers: Parameters<typeof answering>[0] = {}) => {
      const network = playedInternet(answering(answers).lookup, server.port)
      return closed(sampleExchange(baseUrl, { policy: LIVE_POLICY, network }))
    }
    await expect(inLive('http://operator.example').submit()).rejects.toThrow('The URL must begin with https://')
    await expect(inLive('https://127.0.0.1').submit()).rejects.toThrow('The host is not a public address')
    const inside = inLive('https://operator.example', { 'operator.example': [['10.0.0.1']] })
    expect(await notSent({ ...inside, requests })).toBe('The host is not a public address')
    const outside = inLive('https://operator.example', { 'operator.example': [['93.184.215.14']] })
    expect((await outside.submit()).status).toBe(202)
  })
})

test('a base path precedes every path, and the contract ignores it', async () => {
  const { server, requests } = await operator(http('200 OK', ORDER))
  const { ask: query } = closed(sampleExchange(`http://127.0.0.1:${server.port}/gateway/v2`))
  expect((await query()).status).toBe(200)
  expect(requests[0]).toMatch(/^GET \/gateway\/v2\/orders\/1 HTTP/)
})

test('trusts an authority of the rail account instead of the public ones', async () => {
  const certificate = selfSigned('operator.example')
  const server: HostileServer = await listen(
    createTlsServer(certificate, (_request, response) => response.writeHead(202).end()),
  )
  ends.push(server.stop)
  const baseUrl = `https://operator.example:${server.port}`
  const network: OutboundNetwork = { lookup: answering({ 'operator.example': [['127.0.0.1']] }).lookup, buildConnector }
  const railAccount = { name: 'mtn-ug', baseUrl, secrets: [], ca: certificate.cert }
  expect((await closed(sampleExchange(baseUrl, { network, railAccount })).submit()).status).toBe(202)
})

test('an unresponsive operator is not called until one call finds it back', async () => {
  const { requests, ...exchange } = await operator(http('502 Bad Gateway', 'x', 'content-type: text/plain\r\n'))
  for (let n = 0; n < 5; n += 1) await expect(exchange.submit()).rejects.toThrow(NoAnswer)
  expect(exchange.circuit.state().state).toBe('open')
  await expect(exchange.submit()).rejects.toThrow(
    new NotSent('the operator has not answered lately: the circuit is open'),
  )
  expect(requests).toHaveLength(5)
  await expect(exchange.check(), 'a person may look').rejects.toThrow(NoAnswer)
  expect(requests).toHaveLength(6)
  exchange.clock.advance(15_000)
  await expect(exchange.submit()).rejects.toThrow(NoAnswer)
  expect(exchange.circuit.state().state).toBe('open')
  expect(exchange.outcomes().filter((outcome) => outcome === 'not_sent')).toHaveLength(1)
})

test.each<[string, string, 'open' | 'closed']>([
  ["a proxy's reply without a backend", http('503 Unavailable', ORDER), 'open'],
  ['a refusal', http('409 Conflict', ORDER), 'closed'],
  ['an answer that breaks the contract', http('409 Conflict', 'x'), 'closed'],
])('five times in a row %s leaves the circuit as it should be', async (_what, answer, state) => {
  const { submit, circuit } = await operator(answer)
  for (let n = 0; n < 5; n += 1) await submit().catch(() => undefined)
  expect(circuit.state().state).toBe(state)
})

test('passes on a reply that differs from the contract without opening the circuit', async () => {
  const drifts: unknown[] = []
  const {
    ask: query,
    outcomes,
    circuit,
  } = await operator(http('200 OK', '{"id":null,"amount":12345678901234567890}'), {
    onDrift: (operationId, drift) => void drifts.push([operationId, ...drift]),
  })
  for (let n = 0; n < 40; n += 1)
    expect(await (await query()).json()).toEqual({ id: null, amount: '12345678901234567890' })
  expect(new Set(outcomes())).toEqual(new Set(['ok']))
  expect(circuit.state().state).toBe('closed')
  expect(drifts).toHaveLength(40)
  expect(drifts[0]).toEqual(['getOrder', { field: 'id', shape: 'null in the place of a text' }])
})

test('a full queue does not count against the operator', async () => {
  const { submit, circuit, outcomes, requests } = await operator(() => {}, {
    circuit: createCircuit({ now: () => new Date() }, { failuresInARow: 2 }),
    limits: { concurrency: 1, waitingMax: 0 },
    times: IMPATIENT,
  })
  const first = submit().catch(() => undefined)
  for (let n = 0; n < 3; n += 1) await expect(submit()).rejects.toThrow('too many calls wait for their turn')
  expect(circuit.state().state).toBe('closed')
  await first
  expect(outcomes()).toEqual(['not_sent', 'not_sent', 'not_sent', 'no_answer'])
  await expect.poll(() => requests).toHaveLength(1)
})

test('the record holds the exchange, and no secret', async () => {
  const { submit, recorded } = await operator(http('409 Conflict', `{"id":"1","message":"${SECRET} for 256772000123"}`))
  await submit({
    body: '{"partyId":"256772000123"}',
    headers: { authorization: 'Bearer abc', 'x-reference-id': 'o-1' },
  })
  expect(recorded).toHaveLength(1)
  expect(recorded[0]?.request).toContain('authorization: ***\n')
  expect(recorded[0]?.request).toContain('x-reference-id: o-1\n')
  expect(recorded[0]?.request).toMatch(/\n\n\{"partyId":"\*{9}123"\}$/)
  expect(recorded[0]?.reply).toMatch(/\n\n\{"id":"1","message":"\*\*\* for \*{9}123"\}$/)
})
