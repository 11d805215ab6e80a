import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Outcome } from '../check/judge.ts'
import { badgeOf, certificateOf } from './certificate.ts'
import { LIVES } from './lives.ts'

// What certify writes beside its output, and the page of the docs about its lives.

const [life] = LIVES
const certificate = (verdict: Outcome['verdict'], did = 'answered 204') => ({
  outcomes: LIVES.map((row) =>
    row === life ? { row, verdict, did, sent: ['POST /callbacks'] } : { row, verdict: 'ok' as const, did, sent: [] },
  ),
  url: 'http://127.0.0.1:3000/',
  at: new Date(0),
  of: LIVES.length,
})

test('the docs list the thirty lives, and why each matters', () => {
  const page = readFileSync(new URL('../../../openapi/pages/certificate.md', import.meta.url), 'utf8')
  const cells = page.split('\n').map((line) => line.replaceAll(/ {2,}/g, ' '))
  expect(LIVES).toHaveLength(30)
  for (const [index, { title, why }] of LIVES.entries()) expect(cells).toContain(`| ${index + 1} | ${title} | ${why} |`)
})

test('only thirty right lives are a certificate, in the badge and in each report', () => {
  expect(JSON.parse(badgeOf(certificate('ok'), 'badge.json'))).toEqual({
    schemaVersion: 1,
    label: 'malipo',
    message: 'certified, 30/30 lives',
    color: 'green',
  })
  for (const verdict of ['wrong', 'unseen', 'left_out'] as const) {
    expect(JSON.parse(badgeOf(certificate(verdict), 'badge.json'))).toMatchObject({
      message: '29/30 lives',
      color: 'red',
    })
    expect(certificateOf(certificate(verdict), 'report.md')).toMatch(/^# Not certified: 29\/30 lives$/m)
  }
  expect(JSON.parse(certificateOf(certificate('ok'), 'report.json'))).toMatchObject({ certified: true })
})

test('what a shop answered becomes no markup', () => {
  const answered = 'answered 200 <script>alert(1)</script> | [x](http://evil.example)'
  expect(certificateOf(certificate('wrong', answered), 'report.html')).not.toContain('<script>')
  expect(certificateOf(certificate('wrong', answered), 'report.md')).toContain(
    String.raw`&lt;script&gt;alert(1)&lt;/script&gt; \| \[x\](http://evil.example)`,
  )
})
