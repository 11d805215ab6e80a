import { expect, test } from 'vitest'
import { ONE_PIXEL } from '../../../payment-page/testing/fake-payments.ts'
import { signInTest, type TestBrowser } from '../../sign-in/testing/sign-in-test.ts'

const { gateway, merchantsUrl, person, setUp } = await signInTest()
const { browser: staff } = await setUp(await person('Amina', 'admin'))
const { browser: owner } = await setUp(await person('Otieno', 'owner', 1n))
const reason = 'Asked by the merchant'

/** Opens the page of a form, and sends it with what is typed. */
async function fill(browser: TestBrowser, path: string, typed: Readonly<Record<string, string>>) {
  const { body } = await browser.get(path)
  const [, key = ''] = /name="idempotency_key" value="([^"]+)"/.exec(body) ?? []
  return browser.post(path, { idempotency_key: key, ...typed })
}
const setting = async (column: string): Promise<unknown> =>
  (await gateway.pool.query<Record<string, unknown>>(`select ${column} from merchants where id = 1`)).rows[0]?.[column]

test('creates a merchant, shows its keys once, and finds it by its name', async () => {
  const made = await fill(staff, '/merchants/new', { name: 'Duka Moja', reason })
  expect(made.body).toMatch(/<code class="copyable">sec_[a-z0-9]+</)
  expect(made.headers.get('cache-control')).toBe('no-store')
  const [, path = ''] = /class="back"><a href="(\/merchants\/\d+)"/.exec(made.body) ?? []
  expect((await staff.get('/merchants?q=duka+moja')).body).toContain(`<a href="${path}">Duka Moja</a>`)
  expect((await staff.get(path)).body).not.toContain('sec_')
})

test('keeps what was typed and names what is wrong with it', async () => {
  const { body } = await fill(staff, '/merchants/1/urls', { payout_callback_url: 'ftp://shop.example', reason })
  expect(body).toContain('the payout callback URL cannot be used')
  expect(body).toContain('value="ftp://shop.example"')
  const deposit = await fill(staff, '/merchants/1/deposit', { currency: 'UGX', amount: '5,0', reference: 'R', reason })
  expect(deposit.body).toContain('<a href="#amount">amount must be an amount in major units')
})

test('moves money once, however often the form is sent', async () => {
  const page = await staff.get('/merchants/1/deposit')
  const [, key = ''] = /name="idempotency_key" value="([^"]+)"/.exec(page.body) ?? []
  const typed = { currency: 'UGX', amount: '700', reference: 'FORM-1', reason, idempotency_key: key }
  for (const _time of [1, 2])
    expect(await staff.post('/merchants/1/deposit', typed)).toMatchObject({ status: 303, location: '/merchants/1' })
  expect((await staff.get('/merchants/1')).body.match(/FORM-1/g)).toHaveLength(1)
})

test('suspends and resumes a merchant, narrows its limits and changes its options', async () => {
  await fill(staff, '/merchants/1/suspend', { reason })
  expect(await setting('suspended_at')).not.toBeNull()
  await fill(staff, '/merchants/1/resume', { reason })
  expect(await setting('suspended_at')).toBeNull()
  await fill(staff, '/merchants/1/limits', { option: 'mtn_ug:PAYOUT', max_amount: '1000000', reason })
  await fill(staff, '/merchants/1/charges', { option: 'mtn_ug:PAYOUT', charge_basis_points: '1.5', reason })
  expect((await staff.get('/merchants/1')).body).toMatch(/UGX\u00a01,000,000.*1\.5 %/s)
  await fill(staff, '/merchants/1/settings', { name: 'Duka Pya', 'mtn_ug:PAYOUT': 'yes', reason })
  const { rows } = await gateway.pool.query('select provider_code from merchant_options where merchant_id = 1')
  expect([await setting('name'), rows]).toEqual(['Duka Pya', [{ provider_code: 'mtn_ug' }]])
})

test('changes a provider, its numbers and a rate', async () => {
  const values = { min_amount: '600', charge_basis_points: '1.5', reason }
  await fill(staff, '/settings/providers/mtn_ug/COLLECTION', values)
  const payouts = '/settings/providers/mtn_ug/PAYOUT'
  expect((await staff.get(payouts)).body).not.toContain('clearing_delay_seconds')
  const clearing = { clearing_delay_seconds: '0', reserve_basis_points: '0', reserve_seconds: '0' }
  expect((await fill(staff, payouts, { min_amount: '700', ...clearing, reason })).location).toBe('/settings')
  expect((await fill(staff, payouts, { clearing_delay_seconds: '9', reason })).body).toContain(
    'is a rule of collections',
  )
  await fill(staff, '/settings/providers/mtn_ug/numbers', { prefixes: '77, 78', prefix_rule: 'hint', reason })
  await fill(staff, '/settings/rate', { from: 'usd', to: 'ugx', rate: '3800', reason })
  const added = { provider_code: 'mtn_x', name: 'MTN X', currency: 'ugx', calling_code: '256', prefixes: '70, 71' }
  const limits = { COLLECTION: 'yes', min_amount: '500', max_amount: '1000', max_daily_amount: '5000' }
  expect((await fill(staff, '/settings/new-provider', { ...added, ...limits, reason })).location).toBe('/settings')
  expect((await fill(staff, '/settings/rsa-keys', { reason })).location).toBe('/settings')
  const { rows } = await gateway.pool.query(
    `select min_amount_minor, charge_bps, is_active, prefixes, prefix_rule from payment_options
     join providers on code = provider_code where code = 'mtn_ug' and transaction_type = 'COLLECTION'`,
  )
  expect(rows).toEqual([
    { min_amount_minor: 600n, charge_bps: 150, is_active: false, prefixes: ['77', '78'], prefix_rule: 'hint' },
  ])
  const { body } = await staff.get('/settings')
  for (const text of ['1 USD = 3800 UGX', '<small>mtn_x COLLECTION</small>', 'href="/settings/rsa-keys/'])
    expect(body).toContain(text)
})

test('an owner changes URLs, brand and keys, and sees no page of staff', async () => {
  const url = 'https://shop.example/payouts'
  expect(await fill(owner, '/settings/urls', { payout_callback_url: url, reason })).toMatchObject({
    status: 303,
    location: '/settings',
  })
  expect(await setting('payout_callback_url')).toBe(url)
  await fill(owner, '/settings/retries', { page_retries: 'yes', reason })
  expect(await setting('page_retries')).toBe(true)
  await fill(owner, '/settings/retries', { reason })
  expect(await setting('page_retries')).toBe(false)
  const made = await fill(owner, '/keys/signing_key', { keep_old_seconds: '604800', reason })
  expect(made.body).toMatch(/class="copyable">[A-Z0-9]{20}<[\s\S]*stays valid until/)
  for (const path of ['/merchants', '/merchants/2', '/merchants/2/keys'])
    expect([path, (await owner.get(path)).status]).toEqual([path, 404])
})

test('a logo comes from a form without script; a file that is too large is refused', async () => {
  const { body } = await owner.get('/settings/brand')
  const hidden = [...body.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g)]
  const send = async (logo: Uint8Array<ArrayBuffer>) => {
    const form = new FormData()
    for (const [, name = '', value = ''] of hidden) form.set(name, value)
    form.set('colour', '#0B57A4')
    form.set('logo', new Blob([logo], { type: 'image/png' }), 'logo.png')
    const headers = { origin: merchantsUrl, cookie: [...owner.cookies].map((pair) => pair.join('=')).join('; ') }
    return fetch(`${merchantsUrl}/settings/brand`, { method: 'POST', body: form, headers, redirect: 'manual' })
  }
  expect(await (await send(new Uint8Array(20_000))).text()).toContain('larger than 16 kB')
  expect((await send(Uint8Array.from(ONE_PIXEL))).status).toBe(303)
  expect([await setting('brand_colour'), await setting('logo_digest')]).toEqual(['#0b57a4', expect.any(String)])
  const [, src = ''] = /<img src="([^"]+)" alt="Logo of/.exec((await owner.get('/settings')).body) ?? []
  expect((await fetch(`${merchantsUrl}${src}`)).headers.get('content-type')).toBe('image/png')
})

test('whose role may not change a merchant is offered nothing, and refused', async () => {
  const { browser } = await setUp(await person('Sam', 'read-only'))
  expect((await browser.get('/merchants/1')).body).not.toContain('/merchants/1/deposit')
  const typed = { currency: 'UGX', amount: '1', reference: 'X', reason }
  expect((await fill(browser, '/merchants/1/deposit', typed)).body).toContain('wallet deposit is for the role')
})
