import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../server/verification/testing/temporary-folder.ts'
import { refusal } from '../../server/verification/testing/refusal.ts'
import type { Exchange, WireHeaders } from '../harness/proxy.ts'
import { accounts, collects, json, leads, sendRequests, verifies } from '../rules/testing/exchanges.ts'
import { judgeRecorded } from './run.ts'

const CONTRACT = fileURLToPath(new URL('../../generated/openapi.json', import.meta.url))
const folder = temporaryFolder()

const listed = (headers: WireHeaders) =>
  Object.entries(headers).flatMap(([name, values = []]) => values.map((value) => ({ name, value })))

/** Replies are decoded already, whatever their headers say. */
const DECODED = listed({ 'content-encoding': ['gzip'], 'content-length': ['7'] })

/** An entry as tools write it: bodies in base64, paths below a prefix, pseudo-headers of HTTP/2. */
const entryOf = ({ at, request, reply }: Exchange, base: string) => ({
  startedDateTime: at.toISOString(),
  time: 12,
  request: {
    method: request.method,
    url: base + request.path,
    headers: [{ name: ':method', value: request.method }, ...listed(request.headers)],
    bodySize: request.body.length,
    ...(request.body.length > 0 && {
      postData: { mimeType: 'application/json', text: request.body.toString('utf8'), params: [] },
    }),
  },
  response: {
    status: reply.status,
    headers: [...listed(reply.headers), ...DECODED],
    content: { size: reply.body.length, encoding: 'base64', text: reply.body.toString('base64') },
  },
})

let count = 0
const harOf = (entries: readonly object[]): string =>
  folder.written(`traffic-${(count += 1)}.har`, `\uFEFF${JSON.stringify({ log: { version: '1.2', entries } })}`)
const GATEWAY = 'https://pay.example/api/v1'
const SERVER = { contract: CONTRACT, accounts, sandbox: true, isOnlyUser: false, log: () => undefined }
const judge = (files: readonly string[], more: object = {}) => judgeRecorded({ ...SERVER, files, ...more })

const wrong = (): Exchange => verifies(json(404, 'No such payment'))
const right = (): Exchange => verifies(json(404, refusal('transaction_unknown', { 'ORDER-2026-0404': 'WATCH-0001' })))

test('names every entry that shows a fault', async () => {
  const { findings } = await judge([harOf([right(), wrong(), right(), wrong()].map((each) => entryOf(each, GATEWAY)))])
  expect(findings).toHaveLength(1)
  const [{ what, also, curl }] = findings as [(typeof findings)[number]]
  expect(what).toMatch(/"No such payment".* \(traffic-\d+\.har, entry 2\)$/)
  expect(also).toEqual([expect.stringMatching(/^traffic-\d+\.har, entry 4$/)])
  expect(curl).toBeUndefined()
})

test('puts no key, account number, name or address of a person into a report', async () => {
  const paid = collects(json(202, 'Thank you, Grace Nakato, 0772 000 123 (grace@mail.example)', {}), {
    customer_name: 'Grace Nakato',
    customer_email: 'grace@mail.example',
  })
  const keyed = sendRequests('GET', '/data/wallet-balances', json(200, 'sec_of_nobody_known'), undefined, {
    'secret-key': 'sec_of_nobody_known',
  })
  const result = await judge([harOf([paid, keyed].map((each) => entryOf(each, GATEWAY)))], { accounts: [] })
  expect(result.findings.length).toBeGreaterThan(0)
  expect(JSON.stringify(result)).not.toMatch(/Nakato|000 ?123|mail\.example|sec_of/)
})

test('ignores other addresses, and says how many; a page is judged', async () => {
  const accepted = json(202, 'Collection accepted', { internal_reference: 'MLPZ1ZP8G0DY6MZXFRQH3EJ9D' })
  const entries = [collects(accepted), leads('https://evil.example/')].map((each) => entryOf(each, GATEWAY))
  const script = entryOf(sendRequests('GET', '/analytics.js', json(200, 'x')), 'https://shop.example')
  const result = await judge([harOf([script, ...entries])])
  expect(result.warnings.join()).toContain('1 exchanges with other addresses are not judged')
  expect(result.findings.map(({ what }) => what)).toContainEqual(expect.stringContaining('leads away'))
})

describe('says in one line what is wrong with a file:', () => {
  const entry = entryOf(right(), GATEWAY)
  test.each([
    ['no entries', JSON.stringify({ log: {} }), 'is no HAR file: it has no list log.entries'],
    ['no JSON', '<har>', 'is no JSON'],
    ['no address', JSON.stringify({ log: { entries: [{ ...entry, request: {} }] } }), 'entry 1: it has no request.url'],
    ['nothing of the contract', JSON.stringify({ log: { entries: [] } }), 'has a request of the contract'],
  ])('%s', async (_name, text, what) => {
    await expect(judge([folder.written('wrong.har', text)])).rejects.toThrow(what)
  })
  test('no file', () => expect(judge([join(folder.path, 'none.har')])).rejects.toThrow('does not exist'))
})
