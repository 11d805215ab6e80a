import { brotliCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { money as moneyOf } from '../../../domain/money.ts'
import { STATUS_MESSAGES } from '../../../domain/transaction.ts'
import { railKindRecords } from '../../operations/rail-account-record.ts'
import { DOCTOR_RULES } from '../../queries/doctor.ts'
import * as charts from './charts.ts'
import { filterBar } from './filter-bar.ts'
import { actionForm } from './form.ts'
import { known } from './known.ts'
import { languageCookie, languageFor, languageRequested, pageTexts } from './languages.ts'
import { consolePage } from './page.ts'
import { table } from './table.ts'
import { galleryApp, GALLERY_PAGES } from './testing/gallery.ts'
import * as values from './values.ts'
import { viewerOf } from './viewer.ts'

const english = viewerOf('en', 'Africa/Nairobi')
const french = viewerOf('fr', 'Africa/Nairobi')
const AT = new Date('2026-03-01T21:30:00Z')
const gallery = async (url: string) => (await galleryApp().inject(url)).body

test('rules, settings and messages of other parts are in French, values in their place', () => {
  const settings = railKindRecords().flatMap((kind) => kind.settings.map(({ meaning }) => meaning))
  const texts = [...DOCTOR_RULES, ...settings, ...Object.values(STATUS_MESSAGES)]
  expect(texts.filter((text) => known(french, text) === text || known(english, text) !== text)).toEqual([])
  expect(known(french, 'The header webhook-id is missing')).toBe('L’en-tête webhook-id manque')
  expect(known(french, 'transaction.failed, attempt 2: no reply; next attempt in 60 s')).toBe(
    'transaction.failed, tentative 2 : pas de réponse ; prochaine tentative dans 60 s',
  )
  expect(known(french, 'FAILED: The customer declined the request (line 3 of day.csv)')).toBe(
    'FAILED : Le client a refusé la demande (line 3 of day.csv)',
  )
  expect(known(french, 'Amina')).toBe('Amina')
})

test('texts that a language lacks, or that only it has, do not compile', () => {
  // @ts-expect-error: French lacks one
  pageTexts({ en: { one: 'One' }, fr: {} })
  // @ts-expect-error: French alone has two
  pageTexts({ en: { one: 'One' }, fr: { one: 'Un', two: 'Deux' } })
  const texts = pageTexts({
    en: { it_one: '{count} is', it: '{count} are' },
    fr: { it_one: '{count} est', it: '{count} : {what}' },
  })
  const say = french.texts(texts)
  expect([say.counted('it', 0), say('it', { count: '2', what: 'x' })]).toEqual(['0 est', '2\u00a0: x'])
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
  expect(values.money(french, moneyOf(150_000n, 'KES'))).toContain('1\u202f500,00\u00a0KES')
  expect(values.money(english, { amountMinor: -5n, currency: 'KES' })).toContain('\u2212KES\u00a00.05')
  expect(values.when(english, AT)).toBe('<time datetime="2026-03-01T21:30:00.000Z">2 Mar 2026, 00:30</time>')
  expect(values.when(french, AT, true)).toContain('2 mars 2026, 00:30:00')
  expect([viewerOf('en', 'Nowhere/Land').zone, english.percent(0.934), french.day('2026-03-01')]).toEqual([
    'UTC',
    '93.4%',
    '1 mars',
  ])
})

test('masks an account but for three digits', () => {
  expect(values.maskedAccount(english, '254700000123', '/account')).not.toContain('0123')
})

test('every piece escapes what it is given', () => {
  const bad = `"><script>alert('1')</script>`
  const link = { href: bad, text: bad }
  const field = { name: 'status', label: bad, hint: bad, options: [[bad, bad]] as const }
  const person = { name: bad, role: bad, merchant: bad, formToken: bad }
  const frame = { viewer: english, person, isSandbox: false, navigation: { audience: 'staff' }, content: '' } as const
  const query = new URLSearchParams({ q: bad, status: bad })
  const form = {
    action: bad,
    willHappen: bad,
    hidden: { [bad]: bad },
    cancel: bad,
  }
  const errors = { '': bad, status: bad }
  const submit = [{ text: bad, name: bad, value: bad }]
  const pieces = [
    values.badge(bad, 'bad'),
    values.copyable(english, bad),
    values.maskedAccount(english, `${bad}123`, bad),
    values.emptyState({ title: bad, text: bad, next: link }),
    values.section(bad, ''),
    values.facts([{ name: bad, value: '' }]),
    values.timeline(english, [{ at: AT, title: bad, bodies: [{ title: bad, text: bad }] }]),
    table({ caption: bad, columns: [{ title: bad, cell: () => '' }], rows: [1], href: () => bad }),
    charts.barChart(english, bad, [{ day: '2026-03-01', completed: 1, failed: 1 }]),
    charts.shareBars(english, [{ name: bad, part: 1, whole: 2, href: bad }]),
    filterBar(english, {
      action: bad,
      query,
      fields: [field, { ...field, type: 'select' }],
      views: [{ text: bad, query: bad }],
    }),
    actionForm(
      { viewer: english, formToken: bad, idempotencyKey: bad },
      { ...form, fields: [field], values: { status: bad }, errors, submit },
    ),
    consolePage({ ...frame, url: bad, title: bad, back: link, searched: bad, flash: { kind: 'failed', text: bad } })
      .html,
  ]
  for (const piece of pieces) {
    expect(piece).toContain('&#60;script&#62;')
    expect(piece).not.toContain('<script>')
  }
})

test('the navigation marks the page, counts what waits, and hides what is forbidden', async () => {
  const page = await gallery('/list?status=FAILED&lang=en')
  expect(page).toContain('<a href="/payments" aria-current="page">Payments</a>')
  expect(page).toContain('>1,200</span><span class="unseen">, 1,200 wait</span>')
  expect(page).toContain('href="/list?status&#61;FAILED&#38;lang&#61;fr"')
  const { html } = consolePage({
    viewer: french,
    person: { name: 'A', role: 'developer', formToken: 't' },
    isSandbox: false,
    navigation: { audience: 'merchant', hidden: ['keys'] },
    url: '/',
    title: 'A',
    content: '',
  })
  expect(html).not.toMatch(/href="\/(keys|audit)"/)
})

test('each active filter has a link that removes it alone', async () => {
  const page = await gallery('/list?q=abc&status=FAILED&before=9')
  expect(page).toContain('<a href="/list?status&#61;FAILED" aria-label="Remove the filter Search: abc">')
  expect(page).toContain('<a href="/list?q&#61;abc" aria-label="Remove the filter Status: FAILED">')
  expect(page).toContain('<input type="hidden" name="q" value="abc">')
  expect(page).toContain('<option value="FAILED" selected>')
  expect(await gallery('/list?status=FAILED&before=9')).toContain('aria-current="true">Failed</a>')
})

test('a form keeps what was typed, and links each error to its field', async () => {
  const page = await gallery('/form')
  expect(page).toContain('<a href="#fee">The fee is not an amount.</a>')
  expect(page).toMatch(
    /<input id="fee" name="fee" aria-describedby="fee-hint fee-error" aria-invalid="true" .*value="1o"/,
  )
  expect(page).toMatch(/<input id="reason"[^>]* required minlength="3" maxlength="500" [^>]*value="x"/)
  expect(page).toContain('<input type="hidden" name="idempotency_key" value="key">')
  expect(page).toContain('<input type="hidden" name="token" value="token">')
})

test('a page with its files is below 12 kB compressed, and has nothing inline', async () => {
  const app = galleryApp()
  for (const name of GALLERY_PAGES) {
    const { body, headers } = await app.inject(`/${name}`)
    const paths = [...body.matchAll(/"(\/console\/[0-9a-f]{16}\.(?:css|js))"/g)].map(([, path = '']) => path)
    const files = await Promise.all(paths.map((path) => app.inject(path)))
    expect(files.map((file) => [file.statusCode, file.headers['cache-control']])).toEqual(
      Array(2).fill([200, 'public, max-age=31536000, immutable']),
    )
    const texts = [body, ...files.map((file) => file.body)]
    expect(texts.reduce((bytes, text) => bytes + brotliCompressSync(text).length, 0)).toBeLessThan(12_000)
    expect(body).not.toMatch(/<style| style="| on\w+="|<script(?! src="\/console\/)/)
    expect(headers['content-security-policy']).toContain("style-src 'self'")
  }
})
