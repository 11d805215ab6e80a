import { expect, test } from 'vitest'
import { readSummary, type InboxMessage } from '../../domain/received/message.ts'
import { inboxPage, messagePage } from './inbox-page.ts'
import { opensslCommand } from './openssl-command.ts'
import { SCRIPT_PATH } from '../../admin/console/look/assets.ts'
import { CONSOLE_STYLE } from '../../admin/console/look/style.ts'
import { viewerOf } from '../../admin/console/look/viewer.ts'
import { ICON } from '../../http/icon.ts'
import { LIVE_SCRIPT, LIVE_SCRIPT_PATH } from './live-script.ts'
import { NOW, BODY, check, RSA_KEY, sign, TEXT } from '../../domain/received/testing/signed-callback.ts'

const message = (body: string, changes: Partial<InboxMessage> = {}): InboxMessage => {
  const bytes = Buffer.from(body)
  const summary = readSummary(bytes)
  return {
    id: 7n,
    receivedAt: NOW,
    kind: 'callback',
    delivery: 1,
    answered: 200,
    headers: {},
    body: bytes,
    bodyBytes: bytes.length,
    summary,
    checks: { hmac: { verdict: 'good' }, rsa: { verdict: 'good' }, webhook: { verdict: 'good' } },
    ...(summary.merchantReference !== undefined && { merchantReference: summary.merchantReference }),
    ...changes,
  }
}
const COUNTS = { all: 1, completed: 1, failed: 0, cancelled: 0, handshakes: 0, bad: 0 }
const PLACE = { counts: COUNTS, version: '7.1', baseUrl: 'http://127.0.0.1:8080' }
const FRAME = {
  viewer: viewerOf('en', 'UTC'),
  url: '/sandbox/inbox',
  sandboxTime: new Date('2027-01-01T10:00:00Z'),
  consoles: { staff: undefined, merchants: undefined },
}
const list = (...messages: InboxMessage[]) => inboxPage(FRAME, { ...PLACE, messages, filter: {} }).html
/** The page's own scripts, and no other. */
const SCRIPTS = [LIVE_SCRIPT_PATH, SCRIPT_PATH].map((path) => `<script src="${path}" defer></script>`)
const withoutScripts = (page: string) => SCRIPTS.reduce((rest, script) => rest.replace(script, ''), page)
const single = (one: InboxMessage) => messagePage(FRAME, one, 'http://127.0.0.1:8080').html

test('nothing that a third party sends becomes markup', () => {
  const attack = `</pre></style><script>alert(1)</script><img src=x onerror='alert(1)'>"`
  const body = JSON.stringify({
    event: attack,
    payload: {
      merchant_reference: attack,
      internal_reference: attack,
      transaction_type: attack,
      transaction_status: attack,
      status_message: attack,
      transaction_amount: 5,
      transaction_currency: attack,
      transaction_account: attack,
      provider_code: attack,
    },
  })
  const hostile = message(body, {
    webhookId: attack,
    delivery: 2,
    signer: attack,
    headers: { [attack]: attack, 'rsa-signature': attack },
  })
  for (const page of [
    list(hostile),
    single(hostile),
    inboxPage(FRAME, { ...PLACE, messages: [], filter: { reference: attack } }).html,
  ]) {
    expect(withoutScripts(page)).not.toMatch(/<script|<img|onerror=|<\/style>/i)
  }
})
test('the frame shows the time of a clock that is ahead', () => {
  expect(list()).toContain('Sandbox: 1 Jan 2027, 10:00')
})

test('characters that reorder or hide text are shown as escapes', () => {
  const page = single(
    message(
      JSON.stringify({
        event: 'transaction.completed\u202edetelpmoc',
        payload: { merchant_reference: 'A\u200bB\u2066' },
      }),
    ),
  )
  expect(page).not.toMatch(/[\u200b\u202e\u2066]/)
  expect(page).toContain('\\u202e')
})
test('shows a body of 200 kB and one nested 10,000 deep at a proportionate size', () => {
  expect(single(message(JSON.stringify({ payload: { customer_name: '<'.repeat(200_000) } }))).length).toBeLessThan(
    1_500_000,
  )
  expect(single(message('['.repeat(10_000) + ']'.repeat(10_000))).length).toBeLessThan(200_000)
})
test('explains a bad signature in words, with what was expected', () => {
  const page = list(
    message(BODY, {
      checks: {
        hmac: { verdict: 'bad', why: 'It differs', expected: 's=00' },
        rsa: { verdict: 'good' },
        webhook: { verdict: 'good' },
      },
    }),
  )
  expect(page).toContain('A signature is bad.')
  expect(page).toContain('<span class="badge calm">COMPLETED</span>')
  expect(page).toContain('It differs.')
  expect(page).toContain('s&#61;00')
})
test('a repeated webhook-id is shown as a repeated delivery', () => {
  expect(list(message(BODY, { webhookId: 'cb_1', delivery: 2 }))).toMatch(
    />delivery 2<.*<dt>webhook-id<\/dt><dd><bdi><code>cb_1</s,
  )
})
test('withholds the command to paste for characters that Malipo never sends', () => {
  const command = (signedText: string, signature: string, keyId = RSA_KEY.id) =>
    opensslCommand({ signedText }, { 'rsa-signature': signature, 'rsa-key-id': keyId }, 'http://127.0.0.1:8080')
  expect(command(TEXT, 'AAAA')).toContain('openssl dgst -sha256 -verify')
  expect(command(`${TEXT}'; rm -rf ~; '`, 'AAAA')).toBeUndefined()
  expect(command(TEXT, "AAAA' | sh; '")).toBeUndefined()
  expect(command(TEXT, 'AAAA', '$(rm -rf ~)')).toBeUndefined()
})
test('nothing but files of ours styles it or runs in it, in French too', () => {
  expect(withoutScripts(list(message(BODY)))).not.toMatch(/ style=|<style|<script|https?:\/\/(?!127\.0\.0\.1)/)
  const french = { ...FRAME, viewer: viewerOf('fr', 'UTC') }
  expect(messagePage(french, message(BODY), '').html).toContain('webhook-signature est bonne')
})
test('links lead to the newest message of a transaction', () => {
  const page = list(message(BODY, { id: 9n }), message(BODY, { id: 8n }))
  expect(page.match(/id="of-ORDER-2026-0001"/g)).toHaveLength(1)
  expect(page).toMatch(/id="message-9"[^>]*>\s*<span class="anchor" id="of-ORDER-2026-0001">/)
})
// All signatures of a single message are shown in detail.
test('a list shows good signatures in one line and details only bad ones', () => {
  const good = message(BODY)
  const bad = message(BODY, { checks: { ...good.checks, hmac: { verdict: 'bad', why: 'It differs' } } })
  const reported = (page: string) => page.match(/-signature is \w+/g)?.length ?? 0
  expect([reported(list(good)), reported(list(bad)), reported(single(good))]).toEqual([0, 3, 3])
  expect(list(good)).toContain('Every signature is good')
  expect(list(bad)).not.toContain('Every signature')
})
test('promises nothing that a filter hides', () => {
  const none = (filter: Parameters<typeof inboxPage>[1]['filter']) =>
    inboxPage(FRAME, { ...PLACE, messages: [], filter }).html
  const main = (page: string) => /<div id="nothing">.*?<\/section>/s.exec(page)?.[0]
  expect(main(none({}))).toContain('/collections/initialize')
  for (const filter of [{ state: 'failed' }, { reference: 'NONE' }] as const)
    expect(main(none(filter))).toMatch(/^(?!.*\/collections\/initialize).*href="\/sandbox\/inbox">Show all messages/s)
})

test('the inbox with ten messages, its scripts and style weighs at most 110 kB', async () => {
  const headers = await sign()
  const ten = Array.from({ length: 10 }, () => message(BODY, { headers, checks: check(headers) }))
  expect(Buffer.byteLength(list(...ten) + LIVE_SCRIPT + CONSOLE_STYLE + ICON)).toBeLessThan(110_000)
})
