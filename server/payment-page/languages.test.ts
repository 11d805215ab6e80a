import { describe, expect, test } from 'vitest'
import { STEPS } from './testing/fake-payments.ts'
import { alertOf, browse, heading, opened, pathOf, start } from './testing/tab.ts'
import { TONGUES, type Language } from './languages.ts'
import { en } from './texts/en.ts'
import { fr } from './texts/fr.ts'
import { pt } from './texts/pt.ts'
import { sw } from './texts/sw.ts'

const LANGUAGES = Object.keys(TONGUES) as Language[]
const TEXTS: Readonly<Record<Language, Readonly<Record<string, string>>>> = { en, fr, sw, pt }
const gaps = (text = ''): string[] => (text.match(/\{\w+\}/g) ?? []).toSorted()

test.each(LANGUAGES)('%s: no text is missing, and each has the same placeholders', (language) => {
  const texts = TEXTS[language]
  expect(Object.keys(texts).toSorted()).toEqual(Object.keys(en).toSorted())
  for (const [name, text] of Object.entries(en)) {
    expect([name, gaps(texts[name])]).toEqual([name, gaps(text)])
    expect([name, texts[name]?.trim()]).toEqual([name, texts[name]])
    expect(texts[name], name).not.toBe('')
  }
})

test.each(LANGUAGES.filter((language) => language !== 'en'))('%s: no text is in English', (language) => {
  const same = Object.entries(en).filter(([name, text]) => TEXTS[language][name] === text)
  expect(same.map(([name]) => name)).toEqual(language === 'fr' ? ['receiptDate'] : [])
})

describe.each(LANGUAGES)('in %s', (language) => {
  test.each([true, false])('every step has all its texts in this language; sandbox: %s', async (sandbox) => {
    const payments = start({ sandbox })
    for (const [name, step] of Object.entries(STEPS)) {
      const { body, headers } = await browse(payments, payments.add(step)).get('', { 'accept-language': language })
      expect([name, headers['content-language']]).toEqual([name, language])
      expect(body).toContain(`<html lang="${language}">`)
      const said = body.replace(/data-says="[^"]*"|<style>.*?<\/style>/gs, '')
      expect([name, gaps(said)]).toEqual([name, []])
      // Only in the language switch.
      const inEnglish = said.match(/<\w+(?=[^>]* lang="en")/g)?.filter((tag) => tag !== '<html')
      expect([name, inEnglish]).toEqual([name, [language === 'en' ? '<span' : '<a']])
      expect(said).toContain(`<span lang="${language}" aria-current="true">`)
    }
  })
  test('refusals are in this language', async () => {
    const payments = start()
    const tab = await opened(payments, payments.add(STEPS.enter_otp))
    await tab.get(`?lang=${language}`)
    expect(alertOf((await tab.post('otp', { otp: '111111' })).body)).toBe(TEXTS[language]['wrongOtp'])
    expect(alertOf((await tab.post('otp', { otp: 'x' })).body)).toBe(TEXTS[language]['otpNeedsDigits'])
    expect(alertOf((await tab.post('otp/new')).body)).not.toContain('{')
    const stale = await tab.post('otp', { token: 'x' })
    expect([stale.statusCode, heading(stale.body)]).toEqual([403, TEXTS[language]['staleTitle']])
  })
})

test.each([
  [undefined, 'en'],
  ['', 'en'],
  ['fr', 'fr'],
  ['fr-CD, en;q=0.9', 'fr'],
  ['de-DE, pt;q=0.5, sw;q=0.8', 'sw'],
  ['en;q=0.1, pt-MZ', 'pt'],
  ['fr;q=0, sw', 'sw'],
  ['de, *', 'en'],
  ['constructor, __proto__', 'en'],
  [';;,q=1,fr;q=x,,sw;q=0.2', 'sw'],
])('a browser that prefers %j reads %s', async (liked, language) => {
  const payments = start()
  const { headers } = await browse(payments, payments.add(STEPS.expired)).get(
    '',
    liked === undefined ? {} : { 'accept-language': liked },
  )
  expect([headers['content-language'], headers.vary]).toEqual([language, 'Accept-Encoding, Accept-Language, Cookie'])
})

test('the switch sets the language of payment pages, whatever the browser prefers', async () => {
  const payments = start()
  const reference = payments.add(STEPS.confirm_phone)
  const tab = browse(payments, reference)
  const first = await tab.get('', { 'accept-language': 'fr' })
  expect(first.body).toContain(`<a href="${pathOf(reference)}?lang=sw" lang="sw" hreflang="sw">Kiswahili</a>`)
  const chosen = await tab.get('?lang=sw', { 'accept-language': 'fr' })
  expect(chosen.headers['set-cookie']).toBe('malipo_lang=sw; Path=/pay; Max-Age=31536000; HttpOnly; SameSite=Lax')
  expect(heading(chosen.body)).toBe(sw.phoneHeading)
  expect(heading((await tab.get('', { 'accept-language': 'fr' })).body)).toBe(sw.phoneHeading)
  await tab.post('confirm')
  expect(heading((await tab.get('?from=form')).body)).toBe(sw.approveHeading)
  const lost = await payments.app.inject({ url: '/pay/nowhere', headers: { cookie: tab.cookie ?? '' } })
  expect(heading(lost.body)).toBe(sw.unknownTitle)
})

test.each(['xx', 'EN', 'toString', 'fr;Path=/', ''])('?lang=%s chooses nothing', async (language) => {
  const payments = start()
  const tab = browse(payments, payments.add(STEPS.expired))
  const { headers } = await tab.get(`?lang=${encodeURIComponent(language)}&lang2=`, { 'accept-language': 'fr' })
  expect(headers['content-language']).toBe('fr')
  expect(String(headers['set-cookie'])).not.toContain('malipo_lang')
})

test('writes amounts, spans and moments as the language does', async () => {
  const payments = start()
  const reference = payments.add(STEPS.completed)
  const page = async (language: Language) =>
    (await browse(payments, reference).get('', { 'accept-language': language })).body.replaceAll(/[\u00a0\u202f]/g, ' ')
  expect(await page('en')).toMatch(/UGX 5,000.*20 November 2026 at 13:00 GMT\+3/s)
  expect(await page('fr')).toMatch(/5 000 UGX.*20 novembre 2026 à 13:00 UTC\+3/s)
  expect(await page('sw')).toMatch(/UGX 5,000.*20 Novemba 2026/s)
  expect(await page('pt')).toMatch(/5000 UGX.*20 de novembro de 2026/s)
  expect(TONGUES.sw.speech.minutes(29 * 60_000)).toBe('dakika 29')
  expect(TONGUES.pt.speech.counted('triesLeft', 1)).toBe('Resta 1 tentativa.')
  expect(TONGUES.fr.speech.counted('triesLeft', 4)).toBe('Il reste 4 essais.')
})

test('in French no mark with a space before it begins a line', async () => {
  const payments = start()
  const { body } = await browse(payments, payments.add(STEPS.approve_phone)).get('', { 'accept-language': 'fr' })
  expect(body).toContain('Et si rien n’arrive\u00a0?')
  expect(body.replace(/<style>.*?<\/style>/s, '')).not.toMatch(/\p{L} [?!:;]/u)
})

test("explains a failed payment by its code, else in the operator's words", async () => {
  const payments = start({ sandbox: false })
  const reason = async (step: object, language: Language = 'pt') => {
    const tab = browse(payments, payments.add({ ...STEPS.failed, ...step }))
    const { body } = await tab.get('', { 'accept-language': language })
    return body.match(/<p>.*<\/p>/g)?.find((line) => line.includes('<strong')) ?? ''
  }
  expect(await reason({})).toContain(`<p><strong>${pt.failInsufficientFunds}.</strong></p><p>${pt.nothingTaken}</p>`)
  expect(await reason({ statusMessage: 'Too many wrong one-time passwords', failureCode: 'declined' })).toContain(
    pt.failTooManyOtps,
  )
  const unknown = { statusMessage: 'PAYER_DELETED', failureCode: undefined }
  expect(await reason(unknown)).toContain('<p><bdi>MTN Uganda</bdi> diz: <strong lang="en">PAYER_DELETED</strong></p>')
  // Nobody sees a program's error code, not even in English.
  const known = { statusMessage: 'PAYER_NOT_FOUND', failureCode: 'account_not_found' }
  expect(await reason(known, 'en')).toContain('<bdi>MTN Uganda</bdi> does not know this account.</strong>')
  // A request may be approved at the last moment: the page must not claim that nothing was taken.
  const late = await reason({ statusMessage: 'The request timed out', failureCode: 'expired' }, 'en')
  expect(late).toContain('If you approved it after all, ask <bdi>Duka la Mfano</bdi> before you pay again.')
  expect(late).not.toContain(en.nothingTaken)
})

test.each(LANGUAGES)('%s: the sandbox explains each of its numbers', async (language) => {
  const forecasts = ['pays', 'pays_slowly', 'pays_late', 'pays_once_reached', 'asks_for_otp', 'lacks_money'] as const
  const all = [...forecasts, 'declines', 'gives_no_answer', 'stays_open'] as const
  let forecast: (typeof all)[number] = 'pays'
  const payments = start({ sandboxForecast: () => forecast })
  const tab = browse(payments, payments.add(STEPS.enter_otp))
  const texts: string[] = []
  for (forecast of all) {
    const { body } = await tab.get('', { 'accept-language': language })
    texts.push(/<strong id="sandbox">.*?<\/strong>(.*?)<\/p>/s.exec(body)?.[1] ?? '')
  }
  expect(new Set(texts).size).toBe(all.length)
  for (const text of texts) expect(text).toMatch(/567.*<strong>123456<\/strong>/s)
})
