import { brotliCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { money as moneyOf } from '../../../domain/money.ts'
import { SECURITY_HEADERS } from '../../../payment-page/security-headers.ts'
import { barChart, shareBars } from './charts.ts'
import { filterBar } from './filter-bar.ts'
import { actionForm } from './form.ts'
import { languageCookie, languageFor, languageRequested, pageTexts } from './languages.ts'
import { consolePage } from './page.ts'
import { table } from './table.ts'
import { gallery, GALLERY_PAGES } from './testing/gallery.ts'
import { galleryApp } from './testing/gallery-app.ts'
import { badge, copyable, emptyState, facts, maskedAccount, money, section, timeline, when } from './values.ts'
import { viewerOf } from './viewer.ts'

const english = viewerOf('en', 'Africa/Nairobi')
const french = viewerOf('fr', 'Africa/Nairobi')
const AT = new Date('2026-03-01T21:30:00Z')
const HOSTILE = `"><script>alert('1')</script>`

test('texts that a language lacks, or that only it has, do not compile', () => {
  pageTexts({ en: { one: 'One' }, fr: { one: 'Un' } })
  // @ts-expect-error: French lacks one
  pageTexts({ en: { one: 'One' }, fr: {} })
  // @ts-expect-error: French alone has two
  pageTexts({ en: { one: 'One' }, fr: { one: 'Un', two: 'Deux' } })
  const say = french.texts(
    pageTexts({
      en: { wait_one: '{count} waits', wait: '{count} wait' },
      fr: { wait_one: '{count} attend', wait: '{count} attendent : {what}' },
    }),
  )
  expect([say.counted('wait', 1), say('wait', { count: '2', what: 'x' })]).toEqual(['1 attend', '2 attendent\u00a0: x'])
})

test('chooses the language by address, then cookie, then browser', () => {
  const headers = { cookie: 'a=b; malipo_console_lang=fr', 'accept-language': 'sw, en;q=0.5' }
  expect(languageFor({ lang: 'en' }, headers)).toBe('en')
  expect(languageFor({ lang: 'xx' }, headers)).toBe('fr')
  expect(languageFor({}, { 'accept-language': 'sw, fr-CD;q=0.5' })).toBe('fr')
  expect(languageFor(undefined, {})).toBe('en')
  expect(languageRequested({ lang: 'constructor' })).toBeUndefined()
  expect(languageCookie('fr', true)).toMatch(/^malipo_console_lang=fr; Path=\/; .*HttpOnly; SameSite=Lax; Secure$/)
})

test('formats money, moments and shares by language and time zone', () => {
  expect(money(english, moneyOf(150_000n, 'KES'))).toContain('KES\u00a01,500.00')
  expect(money(french, moneyOf(150_000n, 'KES'))).toContain('1\u202f500,00\u00a0KES')
  expect(money(english, { amountMinor: -5n, currency: 'KES' })).toContain('\u2212KES\u00a00.05')
  expect(when(english, AT)).toBe('<time datetime="2026-03-01T21:30:00.000Z">2 Mar 2026, 00:30</time>')
  expect(when(french, AT, true)).toContain('2 mars 2026, 00:30:00')
  expect(viewerOf('en', 'Nowhere/Land').zone).toBe('UTC')
  expect([english.percent(0.934), french.percent(0.934), english.day('2026-03-01')]).toEqual([
    '93.4%',
    '93,4\u00a0%',
    '1 Mar',
  ])
})

test('masks an account but for three digits, and shows more only for a reason', () => {
  expect(maskedAccount(english, '254700000123')).not.toContain('0123')
  expect(maskedAccount(english, '254700000123', '/payments/1/account')).toContain('href="/payments/1/account"')
})

test('every piece escapes what it is given', () => {
  const query = new URLSearchParams({ q: HOSTILE, status: HOSTILE })
  const link = { href: HOSTILE, text: HOSTILE }
  const field = { name: 'status', label: HOSTILE, hint: HOSTILE, options: [[HOSTILE, HOSTILE]] as const }
  const pieces = [
    badge(HOSTILE, 'bad') + copyable(english, HOSTILE) + maskedAccount(english, HOSTILE, HOSTILE),
    emptyState({ title: HOSTILE, text: HOSTILE, next: link }) +
      section(HOSTILE, '') +
      facts([{ name: HOSTILE, value: '' }]),
    timeline(english, [{ at: AT, title: HOSTILE, bodies: [{ title: HOSTILE, text: HOSTILE }] }]),
    table({ caption: HOSTILE, columns: [{ title: HOSTILE, cell: () => '' }], rows: [1], href: () => HOSTILE }),
    barChart(english, HOSTILE, [{ day: '2026-03-01', completed: 1, failed: 1 }]) +
      shareBars(english, [{ ...link, name: HOSTILE, part: 1, whole: 2 }]),
    filterBar(english, {
      action: HOSTILE,
      query,
      fields: [field, { ...field, type: 'select' }],
      views: [{ text: HOSTILE, query: HOSTILE }],
    }),
    actionForm(english, {
      action: HOSTILE,
      formToken: HOSTILE,
      idempotencyKey: HOSTILE,
      willHappen: HOSTILE,
      fields: [field],
      hidden: { [HOSTILE]: HOSTILE },
      values: { status: HOSTILE },
      errors: { '': HOSTILE, status: HOSTILE },
      submit: [{ text: HOSTILE, name: HOSTILE, value: HOSTILE }],
      cancel: HOSTILE,
    }),
  ]
  const { html: page } = consolePage({
    viewer: english,
    person: { name: HOSTILE, role: HOSTILE, merchant: HOSTILE, formToken: HOSTILE },
    isSandbox: false,
    navigation: { audience: 'staff' },
    url: `/x?q=${HOSTILE}`,
    title: HOSTILE,
    back: link,
    searched: HOSTILE,
    flash: { kind: 'failed', text: HOSTILE },
    content: '',
  })
  for (const piece of [...pieces, page]) {
    expect(piece).toContain('&#60;script&#62;')
    expect(piece).not.toContain('<script>')
  }
})

test('the navigation marks the page, counts what waits, and hides what is forbidden', () => {
  const { html: page } = gallery('list', 'en')
  expect(page).toContain('<a href="/payments" aria-current="page">Payments</a>')
  expect(page).toContain('>1,200</span><span class="unseen">, 1,200 wait</span>')
  const { html: other } = consolePage({
    viewer: french,
    person: { name: 'A', role: 'developer', formToken: 't' },
    isSandbox: false,
    navigation: { audience: 'merchant', hidden: ['keys'] },
    url: '/callbacks?state=failed&lang=fr',
    title: 'Callbacks',
    content: '',
  })
  expect(other).not.toContain('href="/keys"')
  expect(other).not.toContain('href="/audit"')
  expect(other).toContain('href="/callbacks?state&#61;failed&#38;lang&#61;en"')
})

test('each active filter has a link that removes it alone', () => {
  const query = new URLSearchParams({ q: 'abc', status: 'FAILED', before: '9' })
  const bar = filterBar(english, {
    action: '/payments',
    query,
    fields: [{ name: 'status', label: 'Status', type: 'select', options: [['FAILED', 'FAILED']] }],
    views: [{ text: 'Failed', query: 'q=abc&status=FAILED' }],
  })
  expect(bar).toContain('<a href="/payments?status&#61;FAILED" aria-label="Remove the filter Search: abc">')
  expect(bar).toContain('<a href="/payments?q&#61;abc" aria-label="Remove the filter Status: FAILED">')
  expect(bar).toContain('<input type="hidden" name="q" value="abc">')
  expect(bar).toContain('<option value="FAILED" selected>')
  expect(bar).toContain('aria-current="true">Failed</a>')
})

test('a form keeps what was typed, and links each error to its field', () => {
  const { html: page } = gallery('form', 'en')
  expect(page).toContain('<a href="#fee">The fee is not an amount: write 10.50.</a>')
  expect(page).toMatch(
    /<input id="fee" name="fee" aria-describedby="fee-hint fee-error" aria-invalid="true" inputmode="decimal" value="1o"/,
  )
  expect(page).toMatch(
    /<input id="reason"[^>]* required minlength="3" maxlength="500" autocomplete="off" type="text" value="x"/,
  )
  expect(page).toContain('<input type="hidden" name="idempotency_key" value="key">')
  expect(page).toContain('<input type="hidden" name="token" value="token">')
})

test('a page with its files is below 12 kB compressed, and has nothing inline', async () => {
  const app = galleryApp()
  for (const name of GALLERY_PAGES) {
    const { body, headers } = await app.inject(`/${name}`)
    const files = [...body.matchAll(/"(\/console\/[0-9a-f]{16}\.(?:css|js))"/g)].map(([, path = '']) => path)
    const replies = await Promise.all(files.map((path) => app.inject(path)))
    expect(replies.map((reply) => reply.headers['cache-control'])).toEqual(
      Array(2).fill('public, max-age=31536000, immutable'),
    )
    const bytes = [body, ...replies.map((reply) => reply.body)].reduce(
      (all, text) => all + brotliCompressSync(text).length,
      0,
    )
    expect(bytes).toBeLessThan(12_000)
    expect(body).not.toMatch(/<style| style="| on\w+="|<script(?! src="\/console\/)/)
    expect(headers['content-security-policy']).toContain("style-src 'self'")
    expect(headers['x-frame-options']).toBe(SECURITY_HEADERS['x-frame-options'])
  }
})
