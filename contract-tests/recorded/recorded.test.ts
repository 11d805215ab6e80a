import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { refusal } from '../../server/verification/testing/refusal.ts'
import type { Exchange, WireHeaders } from '../harness/proxy.ts'
import { accounts, collects, comes, json, leads, sendRequests, verifies } from '../rules/testing/exchanges.ts'
import { judgeRecorded } from './run.ts'

const CONTRACT = fileURLToPath(new URL('../../generated/openapi.json', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'malipo-recorded-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const listed = (headers: WireHeaders) =>
  Object.entries(headers).flatMap(([name, values = []]) => values.map((value) => ({ name, value })))

/** An entry as proxies write it: bodies in base64, paths below a prefix. */
const ofProxy = ({ at, request, reply }: Exchange, base: string) => ({
  startedDateTime: at.toISOString(),
  time: 12,
  request: {
    method: request.method,
    url: base + request.path,
    headers: listed(request.headers),
    bodySize: request.body.length,
    ...(request.body.length > 0 && {
      postData: { mimeType: 'application/json', text: request.body.toString('utf8'), params: [] },
    }),
  },
  response: {
    status: reply.status,
    headers: listed(reply.headers),
    content: { size: reply.body.length, encoding: 'base64', text: reply.body.toString('base64') },
  },
})

/** An entry as browsers write it: HTTP/2 with pseudo-headers, a body that is decoded already. */
const ofBrowser = (exchange: Exchange, base: string) => {
  const { request, response, ...entry } = ofProxy(exchange, base)
  const encoded = listed({ 'content-encoding': ['gzip'], 'content-length': ['7'] })
  const content = { size: exchange.reply.body.length, text: exchange.reply.body.toString('utf8') }
  return {
    ...entry,
    request: { ...request, headers: [{ name: ':method', value: 'x' }, ...request.headers] },
    response: { ...response, headers: [...response.headers, ...encoded], content },
  }
}

let count = 0
function harOf(entries: readonly object[]): string {
  const file = join(folder, `traffic-${(count += 1)}.har`)
  writeFileSync(file, `\uFEFF${JSON.stringify({ log: { version: '1.2', entries } })}`)
  return file
}
const GATEWAY = 'https://pay.example/api/v1'
const SERVER = { contract: CONTRACT, accounts, sandbox: true, isOnlyUser: false, log: () => undefined }
const judge = (files: readonly string[], more: object = {}) => judgeRecorded({ ...SERVER, files, ...more })

const wrong = (): Exchange => verifies(json(404, 'No such payment'))
const right = (): Exchange => verifies(json(404, refusal('transaction_unknown', { 'ORDER-2026-0404': 'WATCH-0001' })))

test.each([
  ['a proxy', ofProxy],
  ['a browser', ofBrowser],
])('finds a fault in the HAR of %s, and names its entries', async (_name, entryOf) => {
  const entries = [right(), wrong(), right(), wrong()].map((each) => entryOf(each, GATEWAY))
  const { findings } = await judge([harOf(entries)])
  expect(findings).toHaveLength(1)
  const [{ what, also, curl }] = findings as [(typeof findings)[number]]
  expect(what).toMatch(/"No such payment".* \(traffic-\d+\.har, entry 2\)$/)
  expect(also).toEqual([expect.stringMatching(/^traffic-\d+\.har, entry 4$/)])
  expect(curl).toBeUndefined()
})

test('judges messages that the receiver recorded, whatever their address', async () => {
  const headers = { 'content-type': 'application/json', 'webhook-id': 'msg_1', 'x-merchant': '7' }
  const message = comes('POST', '/hooks/malipo', headers, {})
  const { findings } = await judge([
    harOf([ofProxy(right(), GATEWAY)]),
    harOf([ofProxy(message, 'http://shop.internal:9000')]),
  ])
  expect(findings.map(({ what }) => what)).toContainEqual(expect.stringContaining('a callback has a header x-merchant'))
})

test('verifies signatures over the bytes that the receiver recorded', async () => {
  const sent = comes('POST', '/hooks/malipo', { 'content-type': 'application/json' }, { event: 'x', payload: {} })
  const spaced = { ...sent, request: { ...sent.request, body: Buffer.from('{"event": "x", "payload": {}}') } }
  const found = async (exchange: Exchange, more: object = {}): Promise<string> => {
    const { findings, warnings } = await judge([harOf([ofProxy(exchange, 'http://shop.internal:9000')])], more)
    return [...findings.map(({ what }) => what), ...warnings].join('\n')
  }
  expect(await found(sent)).not.toContain('webhook-signature')
  expect(await found(spaced)).toContain('the bytes that are sent must be signed')
  expect(await found(spaced, { accounts: [] })).toContain('not judged: signatures')
})

test('puts no key, account number, name or address of a person into a report', async () => {
  const paid = collects(json(202, 'Thank you, Grace Nakato, 0772 000 123 (grace@mail.example)', {}), {
    customer_name: 'Grace Nakato',
    customer_email: 'grace@mail.example',
  })
  const keyed = sendRequests('GET', '/data/wallet-balances', json(200, 'sec_of_nobody_known'), undefined, {
    'secret-key': 'sec_of_nobody_known',
  })
  const result = await judge([harOf([paid, keyed].map((each) => ofProxy(each, GATEWAY)))], { accounts: [] })
  expect(result.findings.length).toBeGreaterThan(0)
  expect(JSON.stringify(result)).not.toMatch(/Nakato|000 ?123|mail\.example|sec_of/)
})

test('ignores other addresses, and says how many; a page is judged', async () => {
  const accepted = json(202, 'Collection accepted', { internal_reference: 'MLPZ1ZP8G0DY6MZXFRQH3EJ9D' })
  const entries = [collects(accepted), leads('https://evil.example/')].map((each) => ofBrowser(each, GATEWAY))
  const script = ofBrowser(sendRequests('GET', '/analytics.js', json(200, 'x')), 'https://shop.example')
  const result = await judge([harOf([script, ...entries])])
  expect(result.warnings.join()).toContain('1 exchanges with other addresses are not judged')
  expect(result.findings.map(({ what }) => what)).toContainEqual(expect.stringContaining('leads away'))
})

describe('says in one line what is wrong with a file:', () => {
  const entry = ofProxy(right(), GATEWAY)
  test.each([
    ['no entries', JSON.stringify({ log: {} }), 'is no HAR file: it has no list log.entries'],
    ['no JSON', '<har>', 'is no JSON'],
    ['no address', JSON.stringify({ log: { entries: [{ ...entry, request: {} }] } }), 'entry 1: it has no request.url'],
    ['nothing of the contract', JSON.stringify({ log: { entries: [] } }), 'has a request of the contract'],
  ])('%s', async (_name, text, what) => {
    const file = join(folder, 'wrong.har')
    writeFileSync(file, text)
    await expect(judge([file])).rejects.toThrow(what)
  })
  test('no file', () => expect(judge([join(folder, 'none.har')])).rejects.toThrow('does not exist'))
})
