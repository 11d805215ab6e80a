import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../server/verification/testing/temporary-folder.ts'
import { DEMO_MERCHANT } from '../../server/local/sandbox/providers.ts'
import type { Account } from '../rules/secrets/known-secrets.ts'
import { judgeRecorded } from './run.ts'

// Recordings of a sandbox: by Chromium, of the console of the docs and of a payment page, and by mitmproxy, in front of
// the sandbox and of the merchant's server. Some entries are left out, the others are as they were written.

const CONTRACT = fileURLToPath(new URL('../../generated/openapi.json', import.meta.url))
const FILES = ['browser.har', 'proxy.har', 'receiver.har'] as const
const folder = temporaryFolder()

/** A fault in a recording: in this entry, the first text is replaced by the second one. */
interface HarEdit {
  readonly file: (typeof FILES)[number]
  readonly entry: number
  readonly from: string
  readonly to: string
}

function fileWith(file: (typeof FILES)[number], edit?: HarEdit): string {
  const text = readFileSync(fileURLToPath(new URL(`fixtures/${file}`, import.meta.url)), 'utf8')
  const { log } = JSON.parse(text) as { readonly log: { readonly entries: readonly unknown[] } }
  const entries = log.entries.map((entry, index) => {
    if (edit?.file !== file || edit.entry !== index + 1) return entry
    const original = JSON.stringify(entry)
    expect(original).toContain(edit.from)
    return JSON.parse(original.replace(edit.from, edit.to)) as unknown
  })
  return folder.written(file, JSON.stringify({ log: { ...log, entries } }))
}

const judged = (edit?: HarEdit, accounts: readonly Account[] = [DEMO_MERCHANT.keys]) =>
  judgeRecorded({
    files: FILES.map((file) => fileWith(file, edit)),
    contract: CONTRACT,
    accounts,
    sandbox: true,
    isOnlyUser: false,
    log: () => undefined,
  })

test('finds nothing in recordings of a browser and a proxy, signatures judged', async () => {
  const { findings, warnings } = await judged()
  expect(findings).toEqual([])
  expect(warnings.join()).not.toContain('signature')
  expect(warnings.join()).toContain('from the cache of a browser, and not judged: 1 entry')
  expect((await judged(undefined, [])).warnings.join()).toContain('not judged: signatures')
})

const { raw } = String
test.each<[string, HarEdit, string]>([
  [
    'another amount in one of two verifies',
    { file: 'proxy.har', entry: 14, from: raw`\"transaction_amount\":5000`, to: raw`\"transaction_amount\":5001` },
    'transaction_amount of transaction MREF3DVMFWYNB7KZ4MPX is 5001 in verify, and 5000 in a callback',
  ],
  [
    'a callback that was written anew after it was signed',
    { file: 'receiver.har', entry: 2, from: raw`{\"event\":`, to: raw`{\"event\": ` },
    'the bytes that are sent must be signed',
  ],
  [
    'the secret key in a reply of a browser',
    { file: 'browser.har', entry: 6, from: raw`\"status\":\"success\"`, to: raw`\"status\":\"sec_sandbox_demo\"` },
    'contains the secret key',
  ],
  [
    'a redirect with a changed outcome',
    { file: 'browser.har', entry: 12, from: 'event=transaction.completed', to: 'event=transaction.failed' },
    'the HMAC signature of a redirect',
  ],
  [
    'a handshake without its signature',
    { file: 'receiver.har', entry: 1, from: '"webhook-signature"', to: '"signature"' },
    'a handshake has no webhook-signature',
  ],
])('finds %s', async (_name, edit, what) => {
  const { findings } = await judged(edit)
  expect(findings.map((finding) => finding.what)).toContainEqual(expect.stringContaining(what))
})
